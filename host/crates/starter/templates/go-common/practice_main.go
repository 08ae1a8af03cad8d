//go:build !wasip1

package main

// The practice program: its arguments, and the comparison of two builds. `arena build --practice -- -h` prints the
// options. What is played is in practice.go. This file needs no edit.

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Options has the boards or games to play. The same options always give the same ones.
type Options struct {
	Rules string
	Count int
	Seed  uint64
}

// results is the line before the numbers for another build. What the bot prints comes before it.
const results = "practice results\n"

// progressInterval is the time after which progress is printed, and between two lines of it.
const progressInterval = 5 * time.Second

// Progress returns a function that counts a board or a game, and prints the number on standard error when some seconds have passed.
func Progress(count int) func() {
	done, printed := 0, time.Now()
	return func() {
		done++
		if done < count && time.Since(printed) >= progressInterval {
			printed = time.Now()
			fmt.Fprintf(os.Stderr, "practice: %d of %d %s\n", done, count, Unit)
		}
	}
}

// withError returns a mean with half of its 95 % interval.
func withError(numbers []int) string {
	count, sum, squares := float64(len(numbers)), 0.0, 0.0
	for _, number := range numbers {
		sum += float64(number)
	}
	mean := sum / count
	if count < 2 {
		return fmt.Sprintf("%.2f ± ?", mean)
	}
	for _, number := range numbers {
		squares += (float64(number) - mean) * (float64(number) - mean)
	}
	return fmt.Sprintf("%.2f ± %.2f", mean, 1.96*math.Sqrt(squares/(count-1)/count))
}

// otherBuild lets another build play the same boards or games.
func otherBuild(program string, options Options) ([]int, error) {
	// Without a folder in it, the path would be looked for elsewhere.
	path, err := filepath.Abs(program)
	if err != nil {
		return nil, err
	}
	args := []string{"-raw", fmt.Sprintf("-%s=%d", Unit, options.Count), fmt.Sprintf("-seed=%d", options.Seed)}
	if len(RuleSets) > 1 {
		args = append(args, "-rules="+options.Rules)
	}
	command := exec.Command(path, args...)
	var said bytes.Buffer
	command.Stderr = &said
	output, err := command.Output()
	var numbers []int
	text := string(output)
	for _, line := range strings.Fields(text[max(strings.LastIndex(text, results), 0):]) {
		var number int
		if _, wrong := fmt.Sscan(line, &number); wrong == nil {
			numbers = append(numbers, number)
		}
	}
	if err != nil || len(numbers) != options.Count {
		return nil, fmt.Errorf("%s is not an earlier copy of .build/practice: %v %s", program, err, said.String())
	}
	return numbers, nil
}

// RepeatCalls calls a bot as it was called in a recorded game, and prints its last answer: with `calls.jsonl` in a folder of `--faults`, or
// what `arena replay --calls` writes. With `stop`, the debugger has control before the last call, and a step leads into the bot.
func RepeatCalls(path string, stop bool) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	lines, bot, answer := bytes.Split(bytes.TrimSpace(text), []byte("\n")), Bot{}, ""
	for i, line := range lines {
		game, view, err := Recorded(line)
		if err != nil {
			return err
		}
		turn, call := uint32(0), func() string { return deployed(bot.Deploy(game)) }
		if view != nil {
			turn, call = view.Turn, func() string { return played(bot.Play(game, *view)) }
		}
		if stop && i == len(lines)-1 {
			runtime.Breakpoint()
		}
		answer = call()
		var known struct{ Answer json.RawMessage }
		err = json.Unmarshal(line, &known)
		if is := string(known.Answer); err == nil && is != "null" && is != answer {
			fmt.Fprintf(os.Stderr, "turn %d: %s, and not %s as recorded\n", turn, answer, is)
		}
	}
	fmt.Println(answer)
	return nil
}

// fail ends the program with a message: code 2 for wrong arguments, otherwise 1.
func fail(code int, err error) {
	fmt.Fprintln(os.Stderr, "practice:", err)
	os.Exit(code)
}

func main() {
	var options Options
	if len(RuleSets) > 1 {
		text := fmt.Sprintf("built-in rules, a `NAME` of %s", strings.Join(RuleSets, ", "))
		flag.StringVar(&options.Rules, "rules", RuleSets[0], text)
	}
	flag.IntVar(&options.Count, Unit, 200, "number `N` of "+Unit)
	flag.Uint64Var(&options.Seed, "seed", 1, "random seed `S` of the "+Unit)
	calls := flag.String("calls", "", "call the bot as in the recorded game in a `FILE`, and print its last answer")
	stop := flag.Bool("stop", false, "with -calls: stop in the debugger before the last call")
	raw := flag.Bool("raw", false, "print only a number for each, as another build reads them")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: practice [options] [OTHER_BUILD]")
		fmt.Fprintln(flag.CommandLine.Output(), "OTHER_BUILD: an earlier copy of .build/practice, compared on the same", Unit)
		flag.PrintDefaults()
	}
	flag.Parse()
	known := len(RuleSets) == 1
	for _, name := range RuleSets {
		known = known || name == options.Rules
	}
	switch {
	case !known:
		fail(2, fmt.Errorf("there are no built-in rules %s", options.Rules))
	case options.Count < 1:
		fail(2, fmt.Errorf("--%s must be at least 1", Unit))
	case flag.NArg() > 1:
		fail(2, fmt.Errorf("only one other build is compared, and options come before it"))
	}
	if *calls != "" {
		if err := RepeatCalls(*calls, *stop); err != nil {
			fail(2, fmt.Errorf("%s: %w", *calls, err))
		}
		return
	}
	mine, err := Practise(options)
	if err != nil {
		fail(1, err)
	}
	if *raw {
		fmt.Print("\n" + results)
		for _, number := range mine {
			fmt.Println(number)
		}
		return
	}
	fmt.Println(Result(mine))
	if flag.NArg() == 1 {
		other, err := otherBuild(flag.Arg(0), options)
		if err != nil {
			fail(2, err)
		}
		for i := range mine {
			mine[i] -= other[i]
		}
		fmt.Printf("%s against %s on the same %s\n", withError(mine), flag.Arg(0), Unit)
	}
}
