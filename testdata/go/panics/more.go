package main

func resultClean() {
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if r := recover(); r != nil {
				err = r.(error)
			}
		}()
		risky(1)
	}()
	<-done
	_ = err
}

// Nothing after the panic runs.
func afterPanicClean() {
	x := 0
	wait := start(func() {
		defer func() { recover() }()
		panic("always")
	})
	x = 1
	wait()
	_ = x
}

func recoverOrderClean() {
	x := 0
	done := make(chan bool, 1)
	go func() {
		defer func() {
			recover()
			done <- true
		}()
		x = 1
		risky(1)
	}()
	<-done
	_ = x
}

func deferredWriteRacy() {
	trace := 0
	wait := start(func() {
		defer func() { trace = 1 }() // want race "trace"
	})
	trace = 2
	wait()
	_ = trace
}
