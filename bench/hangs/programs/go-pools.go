// A pool of goroutines. os.Args[1] idle: every os.Args[2] ms there is work for one of them; unread: all of them want to hand over a result, and
// main waits for them before it reads the first. Both listen to signals, so the runtime itself does not look for deadlocks.
package main

import (
	"os"
	"os/signal"
	"strconv"
	"sync"
	"time"
)

func main() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	jobs, results := make(chan int), make(chan int)
	var pool sync.WaitGroup
	for i := 0; i < 4; i++ {
		pool.Add(1)
		go func() {
			defer pool.Done()
			for job := range jobs {
				if os.Args[1] == "unread" {
					results <- job
				}
			}
		}()
	}
	if os.Args[1] == "idle" {
		ms, _ := strconv.Atoi(os.Args[2])
		for range time.Tick(time.Duration(ms) * time.Millisecond) {
			jobs <- 1
		}
	}
	for i := 0; i < 4; i++ {
		jobs <- i
	}
	close(jobs)
	pool.Wait()
	<-results
}
