// Command hard leans on what the runtime knows of functions: it grows stacks,
// collects garbage under deep frames, recovers from panics, makes functions that
// are not in it and switches between goroutines. Its output is compared before and
// after the program is rewritten. With an argument it crashes in main.crash.
package main

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
)

type node struct {
	next *node
	text string
}

func deep(n int, list *node) int {
	if n == 0 {
		runtime.GC()
		return length(list)
	}
	here := &node{list, fmt.Sprint(n)}
	return deep(n-1, here) + len(here.text)
}

func length(list *node) int {
	if list == nil {
		return 0
	}
	return 1 + length(list.next)
}

//go:noinline
func crash(list *node) int { return len(list.next.text) }

func divide(a, b int) (result int, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("caught: %v", problem)
		}
	}()
	return []int{a, a / b}[b], nil
}

type size int

func (s size) value() int { return int(s) }

// byNil calls a method of values through a pointer to none.
func byNil() (caught bool) {
	defer func() { caught = recover() != nil }()
	var none interface{ value() int } = (*size)(nil)
	return none.value() < 0
}

// made returns a function that reflect makes, which looks at its arguments under
// deep frames.
func made() func(*node) int {
	f := reflect.MakeFunc(reflect.TypeFor[func(*node) int](), func(args []reflect.Value) []reflect.Value {
		return []reflect.Value{reflect.ValueOf(deep(3000, args[0].Interface().(*node)))}
	})
	return f.Interface().(func(*node) int)
}

func main() {
	if len(os.Args) > 1 {
		fmt.Println(crash(&node{}))
	}
	fmt.Println(deep(20000, nil), byNil(), made()(&node{}))
	for b := range 4 {
		fmt.Println(divide(12, b))
	}
	results := make(chan int)
	for i := range 10 {
		go func() { results <- deep(100*i, nil) }()
	}
	sum := 0
	for range 10 {
		sum += <-results
	}
	fmt.Println(sum)
}
