import { createProtobufRpcClient, QueryClient } from '@cosmjs/stargate'
import { Comet38Client, type RpcClient } from '@cosmjs/tendermint-rpc'
import type { KitIo, NetworkBase } from '@svc/contract'
import { QueryClientImpl as AuthQueries } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QueryClientImpl as BankQueries } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { QueryClientImpl as DistributionQueries } from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import { QueryClientImpl as SlashingQueries } from 'cosmjs-types/cosmos/slashing/v1beta1/query'
import { QueryClientImpl as StakingQueries } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { createRpc } from './rpc.ts'
import type { CosmosNetwork } from './settings.ts'

/** Account numbers that one client remembers at most. */
const MOST_ACCOUNTS = 10_000

/**
 * A chain of the family over the service's `fetch`: CosmJS's client of the node, and the queries of the modules that staking touches.
 * Queries that start together travel in one HTTP request. Put every query through `answer` or `answerOrNone`.
 */
export interface CosmosClient {
  readonly rpc: RpcClient
  readonly comet: Comet38Client
  /** Queries by path, for what the modules below do not cover. */
  readonly queries: QueryClient
  readonly auth: AuthQueries
  readonly bank: BankQueries
  readonly staking: StakingQueries
  readonly distribution: DistributionQueries
  readonly slashing: SlashingQueries
  /** Numbers of accounts by address; a chain never changes them. */
  readonly accountNumbers: Pick<Map<string, bigint>, 'get' | 'set'>
}

/** Calls nothing. Both chains report CometBFT 0.38, whose client needs no look at the version first. */
export function connectCosmos(network: NetworkBase, io: KitIo): CosmosClient {
  const rpc = createRpc(io, (network as CosmosNetwork).batch_max)
  const comet = Comet38Client.create(rpc)
  const queries = new QueryClient(comet)
  const modules = createProtobufRpcClient(queries)
  return {
    rpc,
    comet,
    queries,
    auth: new AuthQueries(modules),
    bank: new BankQueries(modules),
    staking: new StakingQueries(modules),
    distribution: new DistributionQueries(modules),
    slashing: new SlashingQueries(modules),
    accountNumbers: boundedMemory(),
  }
}

/** Forgets the oldest beyond a bound: addresses come from callers. */
function boundedMemory(): Map<string, bigint> {
  const memory = new Map<string, bigint>()
  const set = memory.set.bind(memory)
  return Object.assign(memory, {
    set(address: string, number: bigint) {
      if (memory.size >= MOST_ACCOUNTS && !memory.has(address)) memory.delete(memory.keys().next().value!)
      return set(address, number)
    },
  })
}
