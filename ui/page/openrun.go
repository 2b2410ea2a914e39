package page

import (
	"flockscope/sim/experiment"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/files"
	"flockscope/ui/host"
)

// openRun shows the run of a file. The next change of a setting computes anew.
func (a *State) openRun(f wire.Named) {
	run, err := files.ReadRun(f.Data)
	if err == nil {
		config, problems := a.Schema.Parse(run.Header.Query)
		if len(problems) > 0 || config.String() != run.Header.Query || len(config.Lanes()) != len(run.Tracks) {
			err = files.ErrVersion
		} else {
			a.show(run, config)
			return
		}
	}
	a.Files.Decline(say.Messagef("%s cannot be shown: %s", f.Name, err))
}

// show puts a run on screen that no engine has computed, with its settings. What
// engines are at nobody wants any more.
func (a *State) show(run *trace.Run, config experiment.Config) {
	a.Runs.Drop()
	if a.Config.String() != config.String() {
		a.Settings.Remember()
	}
	a.Config, a.Run, a.names.aliases = config, run, a.names.aliases[:0]
	a.Settings.Clear()
	a.Keep(nil)
	a.Player.Playing, a.Hover, a.Tuning = false, -1, -1
	a.Lane = min(a.Lane, len(config.Lanes())-1)
	a.Round = min(a.Round, a.Rounds())
	a.Runs.DropRefusal()
	a.Withdraw(Needed)
	a.effects.Redraw(host.Shell | host.Figures | host.Link)
}
