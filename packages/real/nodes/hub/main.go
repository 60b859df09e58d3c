// Command hubd is a node of an application as the Cosmos Hub's is, as far as staking, fees and transactions go: Cosmos SDK, CometBFT and feemarket in
// the Hub's versions, with the checks before and after a transaction in the Hub's order. The Hub's own repository cannot be built from the module
// proxy. What is left out (IBC, CosmWasm, interchain security, liquid staking) is asked nothing by the service.
package main

import (
	"os"

	svrcmd "github.com/cosmos/cosmos-sdk/server/cmd"
)

func main() {
	home := os.ExpandEnv("$HOME/.hubd")
	if err := svrcmd.Execute(newRootCommand(home), "HUBD", home); err != nil {
		os.Exit(1)
	}
}
