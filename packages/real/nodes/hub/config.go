package main

import (
	runtimev1alpha1 "cosmossdk.io/api/cosmos/app/runtime/v1alpha1"
	appv1alpha1 "cosmossdk.io/api/cosmos/app/v1alpha1"
	authmodulev1 "cosmossdk.io/api/cosmos/auth/module/v1"
	authzmodulev1 "cosmossdk.io/api/cosmos/authz/module/v1"
	bankmodulev1 "cosmossdk.io/api/cosmos/bank/module/v1"
	consensusmodulev1 "cosmossdk.io/api/cosmos/consensus/module/v1"
	distrmodulev1 "cosmossdk.io/api/cosmos/distribution/module/v1"
	evidencemodulev1 "cosmossdk.io/api/cosmos/evidence/module/v1"
	feegrantmodulev1 "cosmossdk.io/api/cosmos/feegrant/module/v1"
	genutilmodulev1 "cosmossdk.io/api/cosmos/genutil/module/v1"
	govmodulev1 "cosmossdk.io/api/cosmos/gov/module/v1"
	mintmodulev1 "cosmossdk.io/api/cosmos/mint/module/v1"
	slashingmodulev1 "cosmossdk.io/api/cosmos/slashing/module/v1"
	stakingmodulev1 "cosmossdk.io/api/cosmos/staking/module/v1"
	txconfigv1 "cosmossdk.io/api/cosmos/tx/config/v1"
	vestingmodulev1 "cosmossdk.io/api/cosmos/vesting/module/v1"
	"cosmossdk.io/core/appconfig"
	"cosmossdk.io/depinject"
	_ "cosmossdk.io/x/evidence"
	evidencetypes "cosmossdk.io/x/evidence/types"
	"cosmossdk.io/x/feegrant"
	_ "cosmossdk.io/x/feegrant/module"
	"github.com/cosmos/cosmos-sdk/types/module"
	_ "github.com/cosmos/cosmos-sdk/x/auth"
	_ "github.com/cosmos/cosmos-sdk/x/auth/tx/config"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
	_ "github.com/cosmos/cosmos-sdk/x/auth/vesting"
	vestingtypes "github.com/cosmos/cosmos-sdk/x/auth/vesting/types"
	"github.com/cosmos/cosmos-sdk/x/authz"
	_ "github.com/cosmos/cosmos-sdk/x/authz/module"
	_ "github.com/cosmos/cosmos-sdk/x/bank"
	banktypes "github.com/cosmos/cosmos-sdk/x/bank/types"
	_ "github.com/cosmos/cosmos-sdk/x/consensus"
	consensustypes "github.com/cosmos/cosmos-sdk/x/consensus/types"
	_ "github.com/cosmos/cosmos-sdk/x/distribution"
	distrtypes "github.com/cosmos/cosmos-sdk/x/distribution/types"
	"github.com/cosmos/cosmos-sdk/x/genutil"
	genutiltypes "github.com/cosmos/cosmos-sdk/x/genutil/types"
	_ "github.com/cosmos/cosmos-sdk/x/gov"
	govtypes "github.com/cosmos/cosmos-sdk/x/gov/types"
	_ "github.com/cosmos/cosmos-sdk/x/mint"
	minttypes "github.com/cosmos/cosmos-sdk/x/mint/types"
	_ "github.com/cosmos/cosmos-sdk/x/slashing"
	slashingtypes "github.com/cosmos/cosmos-sdk/x/slashing/types"
	_ "github.com/cosmos/cosmos-sdk/x/staking"
	stakingtypes "github.com/cosmos/cosmos-sdk/x/staking/types"
	"github.com/cosmos/gogoproto/proto"
	feemarkettypes "github.com/skip-mev/feemarket/x/feemarket/types"
)

// prefix of addresses, and denom of stake and fees.
const (
	prefix = "cosmos"
	denom  = "uatom"
)

// inOrder is the order in which modules take their genesis: accounts and coins before stakes, stakes before the transactions that make validators.
var inOrder = []string{
	authtypes.ModuleName, banktypes.ModuleName, distrtypes.ModuleName, stakingtypes.ModuleName, slashingtypes.ModuleName,
	govtypes.ModuleName, minttypes.ModuleName, feemarkettypes.ModuleName, genutiltypes.ModuleName, evidencetypes.ModuleName,
	authz.ModuleName, feegrant.ModuleName, vestingtypes.ModuleName, consensustypes.ModuleName,
}

// appConfig says which modules there are and when each has its turn in a block.
func appConfig() depinject.Config {
	named := func(name string, config proto.Message) *appv1alpha1.ModuleConfig {
		return &appv1alpha1.ModuleConfig{Name: name, Config: appconfig.WrapAny(config)}
	}
	return depinject.Configs(
		appconfig.Compose(&appv1alpha1.Config{Modules: []*appv1alpha1.ModuleConfig{
			named("runtime", &runtimev1alpha1.Module{
				AppName:     "GaiaApp",
				PreBlockers: []string{authtypes.ModuleName},
				BeginBlockers: []string{
					minttypes.ModuleName, distrtypes.ModuleName, slashingtypes.ModuleName, evidencetypes.ModuleName,
					stakingtypes.ModuleName, authz.ModuleName, feemarkettypes.ModuleName,
				},
				EndBlockers:       []string{govtypes.ModuleName, stakingtypes.ModuleName, feegrant.ModuleName, feemarkettypes.ModuleName},
				OverrideStoreKeys: []*runtimev1alpha1.StoreKeyConfig{{ModuleName: authtypes.ModuleName, KvStoreKey: "acc"}},
				InitGenesis:       inOrder,
			}),
			named(authtypes.ModuleName, &authmodulev1.Module{Bech32Prefix: prefix, ModuleAccountPermissions: permissions()}),
			named(vestingtypes.ModuleName, &vestingmodulev1.Module{}),
			named(banktypes.ModuleName, &bankmodulev1.Module{}),
			named(stakingtypes.ModuleName, &stakingmodulev1.Module{
				Bech32PrefixValidator: prefix + "valoper", Bech32PrefixConsensus: prefix + "valcons",
			}),
			named(slashingtypes.ModuleName, &slashingmodulev1.Module{}),
			named("tx", &txconfigv1.Config{SkipAnteHandler: true, SkipPostHandler: true}),
			named(genutiltypes.ModuleName, &genutilmodulev1.Module{}),
			named(authz.ModuleName, &authzmodulev1.Module{}),
			named(distrtypes.ModuleName, &distrmodulev1.Module{}),
			named(evidencetypes.ModuleName, &evidencemodulev1.Module{}),
			named(minttypes.ModuleName, &mintmodulev1.Module{}),
			named(feegrant.ModuleName, &feegrantmodulev1.Module{}),
			named(govtypes.ModuleName, &govmodulev1.Module{}),
			named(consensustypes.ModuleName, &consensusmodulev1.Module{}),
		}}),
		depinject.Supply(map[string]module.AppModuleBasic{
			genutiltypes.ModuleName: genutil.NewAppModuleBasic(genutiltypes.DefaultMessageValidator),
		}),
	)
}

// permissions are the modules that hold coins, with what they may do with them.
func permissions() []*authmodulev1.ModuleAccountPermission {
	return []*authmodulev1.ModuleAccountPermission{
		{Account: authtypes.FeeCollectorName},
		{Account: distrtypes.ModuleName},
		{Account: minttypes.ModuleName, Permissions: []string{authtypes.Minter}},
		{Account: stakingtypes.BondedPoolName, Permissions: []string{authtypes.Burner, authtypes.Staking}},
		{Account: stakingtypes.NotBondedPoolName, Permissions: []string{authtypes.Burner, authtypes.Staking}},
		{Account: govtypes.ModuleName, Permissions: []string{authtypes.Burner}},
		{Account: feemarkettypes.ModuleName, Permissions: []string{authtypes.Burner}},
		{Account: feemarkettypes.FeeCollectorName, Permissions: []string{authtypes.Burner}},
	}
}
