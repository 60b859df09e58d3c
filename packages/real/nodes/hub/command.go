package main

import (
	"errors"
	"io"
	"os"

	"cosmossdk.io/log"
	cmtcfg "github.com/cometbft/cometbft/config"
	dbm "github.com/cosmos/cosmos-db"
	"github.com/cosmos/cosmos-sdk/client"
	"github.com/cosmos/cosmos-sdk/client/config"
	"github.com/cosmos/cosmos-sdk/client/keys"
	"github.com/cosmos/cosmos-sdk/server"
	serverconfig "github.com/cosmos/cosmos-sdk/server/config"
	servertypes "github.com/cosmos/cosmos-sdk/server/types"
	simtestutil "github.com/cosmos/cosmos-sdk/testutil/sims"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
	genutilcli "github.com/cosmos/cosmos-sdk/x/genutil/client/cli"
	"github.com/spf13/cobra"
)

// minGasPrices is what a node of the Hub takes at least, by its operators' documentation; feemarket asks for as much.
const minGasPrices = "0.005" + denom

// newRootCommand makes the command line: init, genesis, start and what else the SDK brings.
func newRootCommand(home string) *cobra.Command {
	app := newApp(log.NewNopLogger(), dbm.NewMemDB(), nil, simtestutil.NewAppOptionsWithFlagHome(os.TempDir()))
	clientCtx := client.Context{}.
		WithCodec(app.codec).
		WithInterfaceRegistry(app.interfaces).
		WithTxConfig(app.txConfig).
		WithLegacyAmino(app.amino).
		WithInput(os.Stdin).
		WithAccountRetriever(authtypes.AccountRetriever{}).
		WithHomeDir(home).
		WithViper("")

	root := &cobra.Command{
		Use:           "hubd",
		Short:         "A node of an application as the Cosmos Hub's is",
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			clientCtx, err := client.ReadPersistentCommandFlags(clientCtx.WithCmdContext(cmd.Context()), cmd.Flags())
			if err != nil {
				return err
			}
			if clientCtx, err = config.ReadFromClientConfig(clientCtx); err != nil {
				return err
			}
			if err := client.SetCmdClientContextHandler(clientCtx, cmd); err != nil {
				return err
			}
			appConfig := serverconfig.DefaultConfig()
			appConfig.MinGasPrices = minGasPrices
			return server.InterceptConfigsPreRunHandler(cmd, serverconfig.DefaultConfigTemplate, *appConfig, cmtcfg.DefaultConfig())
		},
	}
	root.AddCommand(
		genutilcli.InitCmd(app.basics, home),
		genutilcli.Commands(app.txConfig, app.basics, home),
		keys.Commands(),
		server.StatusCommand(),
	)
	server.AddCommands(root, home, create, noExport, func(*cobra.Command) {})
	return root
}

func create(logger log.Logger, db dbm.DB, trace io.Writer, options servertypes.AppOptions) servertypes.Application {
	return newApp(logger, db, trace, options, server.DefaultBaseappOptions(options)...)
}

func noExport(log.Logger, dbm.DB, io.Writer, int64, bool, []string, servertypes.AppOptions, []string) (servertypes.ExportedApp, error) {
	return servertypes.ExportedApp{}, errors.New("this node is for trying out: its state is exported by nobody")
}
