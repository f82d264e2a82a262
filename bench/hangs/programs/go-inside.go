// Goroutines that wait for each other in a program that lives. os.Args[1]: what lives beside them (ticker, metrics, listener,
// signal, pool). os.Args[2]: what they wait for (locks, globals, channels, group, condition, context). os.Args[3]: never, or after how many ms another goroutine
// resolves it; then the program ends. os.Args[4], with a listener: the goroutine that resolves it waits for the network.
package main

import (
	"context"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"time"
)

var firstGlobal, secondGlobal sync.Mutex

type resolver func()

func locks(first, second *sync.Mutex, done *sync.WaitGroup) resolver {
	var both sync.WaitGroup
	both.Add(2)
	lockBoth := func(a, b *sync.Mutex) {
		defer done.Done()
		a.Lock()
		both.Done()
		both.Wait()
		b.Lock()
		b.Unlock()
		a.Unlock()
	}
	go lockBoth(first, second)
	go lockBoth(second, first)
	return first.Unlock
}

func lockFirstGlobal(both, done *sync.WaitGroup) {
	defer done.Done()
	firstGlobal.Lock()
	both.Done()
	both.Wait()
	secondGlobal.Lock()
	secondGlobal.Unlock()
	firstGlobal.Unlock()
}

func lockSecondGlobal(both, done *sync.WaitGroup) {
	defer done.Done()
	secondGlobal.Lock()
	both.Done()
	both.Wait()
	firstGlobal.Lock()
	firstGlobal.Unlock()
	secondGlobal.Unlock()
}

func unlockGlobal() { firstGlobal.Unlock() }

func channels(done *sync.WaitGroup) resolver {
	there, back := make(chan int), make(chan int)
	go func() {
		defer done.Done()
		there <- 1
		<-back
	}()
	go func() {
		defer done.Done()
		back <- 1
		<-there
	}()
	return func() {
		<-there
		there <- 1
	}
}

func group(done *sync.WaitGroup) resolver {
	results := make(chan int)
	var workers sync.WaitGroup
	for i := 0; i < 2; i++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			results <- 1
		}()
	}
	go func() {
		defer done.Done()
		workers.Wait()
	}()
	done.Done()
	return func() {
		<-results
		<-results
	}
}

func condition(done *sync.WaitGroup) resolver {
	var mutex sync.Mutex
	ready := sync.NewCond(&mutex)
	isReady := false
	for i := 0; i < 2; i++ {
		go func() {
			defer done.Done()
			mutex.Lock()
			for !isReady {
				ready.Wait()
			}
			mutex.Unlock()
		}()
	}
	return func() {
		mutex.Lock()
		isReady = true
		mutex.Unlock()
		ready.Broadcast()
	}
}

// withContext: each sends to the other and receives from it, unless its context ends, as it does when it is to be resolved.
func withContext(done *sync.WaitGroup, later time.Duration) {
	ctx, cancel := context.WithCancel(context.Background())
	if later > 0 {
		ctx, cancel = context.WithTimeout(ctx, later)
		_ = cancel
	}
	there, back := make(chan int), make(chan int)
	exchange := func(own, other chan int) {
		defer done.Done()
		select {
		case own <- 1:
		case <-ctx.Done():
			os.Exit(0)
		}
		<-other
	}
	go exchange(there, back)
	go exchange(back, there)
}

func begin(what string, done *sync.WaitGroup, later time.Duration) resolver {
	done.Add(2)
	switch what {
	case "globals":
		var both sync.WaitGroup
		both.Add(2)
		go lockFirstGlobal(&both, done)
		go lockSecondGlobal(&both, done)
		return nil
	case "context":
		withContext(done, later)
		return nil
	case "channels":
		return channels(done)
	case "group":
		return group(done)
	case "condition":
		return condition(done)
	}
	return locks(new(sync.Mutex), new(sync.Mutex), done)
}

func live(beside string) {
	switch beside {
	case "ticker":
		go func() {
			for range time.Tick(50 * time.Millisecond) {
			}
		}()
	case "metrics":
		go func() {
			every := time.NewTicker(time.Second)
			quit := make(chan struct{})
			for {
				select {
				case <-every.C:
				case <-quit:
					return
				}
			}
		}()
	case "listener":
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			panic(err)
		}
		go http.Serve(listener, http.NotFoundHandler())
	case "signal":
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, os.Interrupt)
		go func() {
			for range signals {
			}
		}()
	case "pool":
		jobs := make(chan func())
		for i := 0; i < 3; i++ {
			go func() {
				for job := range jobs {
					job()
				}
			}()
		}
		go func() {
			for range time.Tick(time.Hour) {
				jobs <- func() {}
			}
		}()
	}
}

func main() {
	var done sync.WaitGroup
	ms, _ := strconv.Atoi(os.Args[3])
	later := time.Duration(ms) * time.Millisecond
	resolve := begin(os.Args[2], &done, later)
	live(os.Args[1])
	if os.Args[3] != "never" && os.Args[2] != "context" {
		isGlobal := os.Args[2] == "globals"
		go func() {
			if len(os.Args) > 4 {
				silent, _ := net.Listen("tcp", "127.0.0.1:0")
				connection, _ := net.Dial("tcp", silent.Addr().String())
				connection.SetReadDeadline(time.Now().Add(later))
				connection.Read(make([]byte, 1))
			} else {
				time.Sleep(later)
			}
			if isGlobal {
				unlockGlobal()
			} else {
				resolve()
			}
			os.Exit(0)
		}()
	}
	done.Wait()
}
