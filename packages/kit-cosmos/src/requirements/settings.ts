import type { NodeSetting } from '@svc/contract/requirements'

/** Day on which the sources below were read. The defaults of the Hub are those that a node of gaiad v29 was met with. */
const READ = '2026-11-24'

/** Settings of a node of the family: of CometBFT (config.toml), of the Cosmos SDK (app.toml), and of what stands before a node. */
export const NODE = {
  grpc: {
    name: '`enable = true` under `[grpc]` of app.toml (or under `[api]`, which registers the same services)',
    standard: 'Hub: on. Celestia: off',
    source: 'https://github.com/cosmos/cosmos-sdk/blob/main/server/start.go (startInProcess)',
    read: READ,
  },
  modules: {
    name: 'the software of this very chain, in a version that its governance has not left behind',
    standard: 'served',
    source: 'https://github.com/cosmos/cosmos-sdk/blob/main/baseapp/grpcrouter.go',
    read: READ,
  },
  index: {
    name: '`indexer = "kv"` under `[tx_index]` of config.toml',
    standard: 'Hub: `kv`. Celestia: `null`',
    source: 'https://github.com/celestiaorg/celestia-app/blob/main/app/default_overrides.go (DefaultConsensusConfig)',
    read: READ,
  },
  results: {
    name: '`discard_abci_responses = false` under `[storage]` of config.toml',
    standard: 'Hub: kept. Celestia: discarded',
    source: 'https://github.com/celestiaorg/celestia-app/blob/main/app/default_overrides.go (DefaultConsensusConfig)',
    read: READ,
  },
  blocks: {
    name: '`min-retain-blocks` of app.toml (0 keeps all), and `pruning`, which must keep no less than that',
    standard: 'Hub and Celestia v6: all. Celestia v10: 3,000',
    source: 'https://github.com/cosmos/cosmos-sdk/blob/main/server/config/toml.go',
    read: READ,
  },
  batch: {
    name: '`max_request_batch_size` under `[rpc]` of config.toml, or a lower `batch_max` of this network',
    standard: '10',
    source: 'https://docs.cometbft.com/v0.38/core/configuration',
    read: READ,
  },
  open: {
    name: 'the whole RPC of the node (`laddr` under `[rpc]` of config.toml): whatever stands before the node has to let the method through',
    standard: 'on, at 127.0.0.1:26657',
    source: 'https://docs.cometbft.com/v0.38/core/configuration',
    read: READ,
  },
  push: {
    name: 'the WebSocket of the RPC, `/websocket`, through whatever stands before the node; `max_subscription_clients` and `max_subscriptions_per_client` under `[rpc]` of config.toml',
    standard: 'on, 100 clients of 5 subscriptions',
    source: 'https://docs.cometbft.com/v0.38/core/configuration',
    read: '2026-11-30',
  },
} satisfies Readonly<Record<string, NodeSetting>>
