//go:build wasip1

package main

// Memory for the adapter in adapter.go. This file needs no edit.
//
// The arena writes arguments into `memory`, outside the garbage collector's heap: a collection reads the clock, and that is not
// allowed while arguments are written. For the same reason no collection may still run after a turn.

import (
	"runtime"
	"runtime/debug"
	"unsafe"
)

// The memory for arguments, and for the adapter to WASI 0.2. Measured: 128 KiB for the adapter. Arguments need 3 KiB at most.
var memory [512 << 10]byte

// The number of bytes of `memory` in use, and of those that stay in use.
var used, kept uintptr

// The heap above which it is collected in a turn, and after a turn. Chosen: a half and an eighth of the memory of a bot.
const (
	heapInTurn    = 32 << 20
	heapAfterTurn = 8 << 20
)

// The number of collections at the end of the last turn.
var collections uint32

func init() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(heapInTurn)
	kept = used
}

func main() {}

func at(address uint32) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(&memory), uintptr(address)-uintptr(unsafe.Pointer(&memory)))
}

func address(pointer unsafe.Pointer) uint32 {
	return uint32(uintptr(pointer))
}

//go:wasmexport cabi_realloc
func cabiRealloc(old, oldSize, align, size uint32) uint32 {
	start := uintptr(unsafe.Pointer(&memory))
	aligned := (start + used + uintptr(align) - 1) &^ (uintptr(align) - 1)
	if old != 0 || aligned+uintptr(size) > start+unsafe.Sizeof(memory) {
		panic("the arguments do not fit the memory for them")
	}
	used = aligned + uintptr(size) - start
	return uint32(aligned)
}

// list copies a list of the arguments.
func list(address, length uint32) []byte {
	if length == 0 {
		return []byte{}
	}
	return append([]byte(nil), unsafe.Slice((*byte)(at(address)), length)...)
}

// A string or a list that is returned: its address and its length.
type slice struct {
	address, length uint32
}

// said has the numbers that were said to be on no board: a few, since a bot may answer another one in each retry.
var said = map[int]bool{}

// number returns a row or column for the arena. One that does not fit is sent as a cell off the board, for the rules to judge.
func number(number int) byte {
	if number < 0 || number > 255 {
		if len(said) < 10 && !said[number] {
			said[number] = true
			println("a row or column of", number, "is on no board")
		}
		return 255
	}
	return byte(number)
}

// collect runs the garbage collector to its end if the heap has grown, or if it may be running.
func collect() {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	if stats.HeapAlloc > heapAfterTurn || stats.NumGC != collections {
		runtime.GC()
		runtime.ReadMemStats(&stats)
		collections = stats.NumGC
	}
}
