// Command hard leans on what the runtime knows of functions: it grows stacks,
// collects garbage under deep frames, recovers from panics and switches between
// goroutines. Its output is compared before and after the program is rewritten.
package main

import (
	"fmt"
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

func divide(a, b int) (result int, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("caught: %v", problem)
		}
	}()
	return []int{a, a / b}[b], nil
}

func main() {
	fmt.Println(deep(20000, nil))
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
