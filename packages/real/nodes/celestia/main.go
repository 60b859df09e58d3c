// Command celestia-appd is Celestia's own node, as its maintainers' root command makes it.
// It is a module of our own because Go ignores the replace lines of a dependency: go.mod repeats them.
package main

import (
	"os"

	"github.com/celestiaorg/celestia-app/v6/app"
	"github.com/celestiaorg/celestia-app/v6/cmd/celestia-appd/cmd"
	svrcmd "github.com/cosmos/cosmos-sdk/server/cmd"
)

func main() {
	if err := svrcmd.Execute(cmd.NewRootCmd(), app.EnvPrefix, app.NodeHome); err != nil {
		os.Exit(1)
	}
}
