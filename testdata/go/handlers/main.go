// Handlers of a server run at the same time as each other and as whoever set
// them up.
package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
)

type api struct {
	mu      sync.Mutex
	visits  int
	counted int
	total   atomic.Int64
	users   map[string]int
	title   string
}

func main() {
	a := &api{users: map[string]int{}}
	a.title = "set before"
	mux := http.NewServeMux()
	mux.HandleFunc("/racy", a.racy)
	mux.HandleFunc("/clean", a.clean)
	mux.Handle("/log", logged(http.HandlerFunc(a.clean)))
	mux.HandleFunc("/title", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, a.title)
	})
	mux.HandleFunc("/local", func(w http.ResponseWriter, r *http.Request) {
		seen := map[string]bool{}
		seen[r.URL.Path] = true
		r.Form = nil
	})
	s := httptest.NewServer(mux)
	ask(s.URL)
	a.visits++
	a.mu.Lock()
	a.counted++
	a.mu.Unlock()
	s.Close()
}

func (a *api) racy(w http.ResponseWriter, r *http.Request) {
	a.visits++           // want race "visits"
	a.users[r.Host] += 1 // want race "users"
	fmt.Fprintln(w, "ok")
}

func (a *api) clean(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.counted++
	a.total.Add(1)
}

var requests int

// logged counts in a closure that all requests share.
func logged(next http.Handler) http.Handler {
	size := 0
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++ // want race "requests"
		size++     // want race "size"
		next.ServeHTTP(w, r)
	})
}

func ask(url string) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, path := range []string{"/racy", "/clean", "/log", "/title", "/local"} {
				if resp, err := http.Get(url + path); err == nil {
					resp.Body.Close()
				}
			}
		})
	}
	wg.Wait()
}
