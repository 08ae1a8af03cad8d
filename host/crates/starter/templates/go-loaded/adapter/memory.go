//go:build wasip1

// Package adapter passes the calls of the arena to the bot. It needs no edit.
package adapter

// Memory for the exports in adapter.go, and the values in it.
//
// The arena writes arguments into `memory`, outside the garbage collector's heap: a collection reads the clock, and that is not
// allowed while arguments are written. For the same reason no collection may still run after a turn.

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"unsafe"
)

// The memory for an observation, then for an action, and for the adapter to WASI 0.2. Measured: 128 KiB for the adapter. An observation
// and an action have 256 KiB each at most, and are not there at the same time: when a call returns, its memory is free again, and the
// arena reads the action before it writes the next observation.
var memory [512 << 10]byte

// The number of bytes of `memory` in use, and of those that stay in use.
var used, kept uintptr

// The heap above which it is collected in a turn, and after a turn. Chosen: a half and an eighth of the memory of a bot.
const (
	heapInTurn    = 32 << 20
	heapAfterTurn = 8 << 20
)

// The number of collections at the end of the last turn.
var collections uint64

// The size of the heap, and the number of collections. Measured: two fifths of the fuel of runtime.ReadMemStats.
var samples = []metrics.Sample{
	{Name: "/memory/classes/heap/objects:bytes"},
	{Name: "/gc/cycles/total:gc-cycles"},
}

func init() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(heapInTurn)
}

func memoryAt(address uint32) unsafe.Pointer {
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
		panic("the observation or the action does not fit the memory for it")
	}
	used = aligned + uintptr(size) - start
	return uint32(aligned)
}

// room returns memory for a part of an action.
func room(size, align uintptr) unsafe.Pointer {
	if size > unsafe.Sizeof(memory) {
		panic("the action does not fit the memory for it")
	}
	return memoryAt(cabiRealloc(0, 0, uint32(align), uint32(size)))
}

// collect runs the garbage collector to its end if the heap has grown, or if it may be running.
func collect() {
	metrics.Read(samples)
	heap, count := samples[0].Value.Uint64(), samples[1].Value.Uint64()
	if heap > heapAfterTurn || count != collections {
		runtime.GC()
		metrics.Read(samples)
		collections = samples[1].Value.Uint64()
	}
}

// load returns a number at an offset.
func load[T any](at unsafe.Pointer, offset uintptr) T {
	return *(*T)(unsafe.Add(at, offset))
}

func text(address, length uint32) string {
	return string(numbers[byte](address, length))
}

func numbers[T any](address, length uint32) []T {
	all := make([]T, length)
	if length > 0 {
		copy(all, unsafe.Slice((*T)(memoryAt(address)), length))
	}
	return all
}

func list[T any](address, length uint32, size uintptr, element func(at unsafe.Pointer) T) []T {
	all := make([]T, length)
	for i := range all {
		all[i] = element(unsafe.Add(memoryAt(address), uintptr(i)*size))
	}
	return all
}

func option[T any](isSome bool, some func() T) *T {
	if !isSome {
		return nil
	}
	value := some()
	return &value
}

// store writes a number to an offset.
func store[T any](at unsafe.Pointer, offset uintptr, it T) {
	*(*T)(unsafe.Add(at, offset)) = it
}

func putText(at unsafe.Pointer, offset uintptr, it string) {
	putNumbers(at, offset, []byte(it))
}

func putNumbers[T any](at unsafe.Pointer, offset uintptr, all []T) {
	size := unsafe.Sizeof(*new(T))
	start := room(size*uintptr(len(all)), size)
	copy(unsafe.Slice((*T)(start), len(all)), all)
	putPlace(at, offset, start, len(all))
}

func putList[T any](
	at unsafe.Pointer, offset uintptr, all []T, size, align uintptr, element func(at unsafe.Pointer, it T),
) {
	start := room(size*uintptr(len(all)), align)
	for i, it := range all {
		element(unsafe.Add(start, uintptr(i)*size), it)
	}
	putPlace(at, offset, start, len(all))
}

func putPlace(at unsafe.Pointer, offset uintptr, start unsafe.Pointer, length int) {
	store(at, offset, address(start))
	store(at, offset+4, uint32(length))
}

func putOption[T any](
	at unsafe.Pointer, offset uintptr, it *T, payload uintptr, some func(at unsafe.Pointer, it T),
) {
	store(at, offset, it != nil)
	if it != nil {
		some(unsafe.Add(at, payload), *it)
	}
}
