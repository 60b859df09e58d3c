package main

import (
	"fmt"
	"io"

	"cosmossdk.io/depinject"
	"cosmossdk.io/log"
	storetypes "cosmossdk.io/store/types"
	feegrantkeeper "cosmossdk.io/x/feegrant/keeper"
	dbm "github.com/cosmos/cosmos-db"
	"github.com/cosmos/cosmos-sdk/baseapp"
	"github.com/cosmos/cosmos-sdk/client"
	"github.com/cosmos/cosmos-sdk/codec"
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	"github.com/cosmos/cosmos-sdk/runtime"
	servertypes "github.com/cosmos/cosmos-sdk/server/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	"github.com/cosmos/cosmos-sdk/types/module"
	"github.com/cosmos/cosmos-sdk/x/auth/ante"
	authkeeper "github.com/cosmos/cosmos-sdk/x/auth/keeper"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
	bankkeeper "github.com/cosmos/cosmos-sdk/x/bank/keeper"
	govtypes "github.com/cosmos/cosmos-sdk/x/gov/types"
	"github.com/skip-mev/feemarket/x/feemarket"
	feemarketante "github.com/skip-mev/feemarket/x/feemarket/ante"
	feemarketkeeper "github.com/skip-mev/feemarket/x/feemarket/keeper"
	feemarketpost "github.com/skip-mev/feemarket/x/feemarket/post"
	feemarkettypes "github.com/skip-mev/feemarket/x/feemarket/types"
)

// app is the application with what the command line needs of it.
type app struct {
	*runtime.App
	codec      codec.Codec
	amino      *codec.LegacyAmino
	txConfig   client.TxConfig
	interfaces codectypes.InterfaceRegistry
	basics     module.BasicManager
}

// newApp makes the application on a database and loads its latest state. It panics where its own configuration is wrong.
func newApp(logger log.Logger, db dbm.DB, trace io.Writer, options servertypes.AppOptions, base ...func(*baseapp.BaseApp)) *app {
	var (
		built    = &app{}
		builder  *runtime.AppBuilder
		accounts authkeeper.AccountKeeper
		bank     bankkeeper.BaseKeeper
		grants   feegrantkeeper.Keeper
	)
	must(depinject.Inject(
		depinject.Configs(appConfig(), depinject.Supply(options, logger)),
		&builder, &built.codec, &built.amino, &built.txConfig, &built.interfaces, &built.basics, &accounts, &bank, &grants,
	))
	built.App = builder.Build(db, trace, base...)

	// feemarket is wired by hand, as in the Hub: its own wiring has no resolver of denominations.
	key := storetypes.NewKVStoreKey(feemarkettypes.StoreKey)
	fees := feemarketkeeper.NewKeeper(built.codec, key, accounts, oneDenom{}, authtypes.NewModuleAddress(govtypes.ModuleName).String())
	must(built.RegisterStores(key))
	must(built.RegisterModules(feemarket.NewAppModule(built.codec, *fees)))

	built.SetAnteHandler(sdk.ChainAnteDecorators(
		ante.NewSetUpContextDecorator(),
		ante.NewExtensionOptionsDecorator(nil),
		ante.NewValidateBasicDecorator(),
		ante.NewTxTimeoutHeightDecorator(),
		ante.NewValidateMemoDecorator(accounts),
		ante.NewConsumeGasForTxSizeDecorator(accounts),
		ante.NewSetPubKeyDecorator(accounts),
		ante.NewValidateSigCountDecorator(accounts),
		ante.NewSigGasConsumeDecorator(accounts, ante.DefaultSigVerificationGasConsumer),
		ante.NewSigVerificationDecorator(accounts, built.txConfig.SignModeHandler()),
		ante.NewIncrementSequenceDecorator(accounts),
		feemarketante.NewFeeMarketCheckDecorator(accounts, bank, grants, fees, ante.NewDeductFeeDecorator(accounts, bank, grants, nil)),
	))
	built.SetPostHandler(sdk.ChainPostDecorators(feemarketpost.NewFeeMarketDeductDecorator(accounts, bank, fees)))
	must(built.Load(true))
	return built
}

// oneDenom takes fees in the denomination of the fee market alone.
type oneDenom struct{}

func (oneDenom) ConvertToDenom(_ sdk.Context, coin sdk.DecCoin, denom string) (sdk.DecCoin, error) {
	if coin.Denom == denom {
		return coin, nil
	}
	return sdk.DecCoin{}, fmt.Errorf("error resolving denom")
}

func (oneDenom) ExtraDenoms(sdk.Context) ([]string, error) { return nil, nil }

func must(err error) {
	if err != nil {
		panic(err)
	}
}
