package cli

import (
	"os"
	"runtime"
	"runtime/pprof"
)

// profile writes the profiles asked for.
type profile struct {
	cpu *os.File // nil if none
	mem string   // "" if none
}

func startProfile(dir, cpu, mem string) (*profile, error) {
	p := new(profile)
	if mem != "" {
		p.mem = inDir(dir, mem)
	}
	if cpu != "" {
		f, err := os.Create(inDir(dir, cpu))
		if err != nil {
			return nil, usagef("cannot write the CPU profile: %v", err)
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			f.Close()
			return nil, usagef("cannot take a CPU profile: %v", err)
		}
		p.cpu = f
	}
	return p, nil
}

// stop ends the CPU profile and takes that of memory.
func (p *profile) stop() error {
	if p.cpu != nil {
		pprof.StopCPUProfile()
		if err := p.cpu.Close(); err != nil {
			return usagef("cannot write the CPU profile: %v", err)
		}
	}
	if p.mem == "" {
		return nil
	}
	f, err := os.Create(p.mem)
	if err != nil {
		return usagef("cannot write the memory profile: %v", err)
	}
	defer f.Close()
	runtime.GC()
	if err := pprof.WriteHeapProfile(f); err != nil {
		return usagef("cannot write the memory profile: %v", err)
	}
	return f.Close()
}
