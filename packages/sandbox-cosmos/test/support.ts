import { Secp256k1 } from '@cosmjs/crypto'
import { fromHex } from '@cosmjs/encoding'
import { DirectSecp256k1Wallet, type EncodeObject } from '@cosmjs/proto-signing'
import { GasPrice, SigningStargateClient, type StdFee } from '@cosmjs/stargate'
import { type CosmosChain, type CosmosGenesis, startCosmosChain } from '@svc/sandbox-cosmos'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { assert, type IProperty, type Parameters } from 'fast-check'
import type { Test } from 'tap'

/** A chain with a fee market, round numbers and one validator in two. */
export const hub: Extract<CosmosGenesis, { algorithm: 'secp256k1' }> = {
  algorithm: 'secp256k1',
  prefix: 'cosmos',
  denom: 'uatom',
  decimals: 6,
  blockSeconds: 6,
  maxMemo: 256,
  idleSupply: '1000000',
  staking: { unbondingSeconds: 1_814_400, maxEntries: 7, maxValidators: 10, minCommission: '0.05' },
  distribution: { communityTax: '0.02', parksRewards: false },
  slashing: {
    doubleSignFraction: '0.05',
    downtimeFraction: '0.0001',
    downtimeJailSeconds: 600,
    signedBlocksWindow: 100,
    minSignedPerWindow: '0.5',
  },
  mint: {
    kind: 'inflation',
    inflation: '0.1',
    inflationMax: '0.1',
    inflationMin: '0.1',
    inflationRateChange: '0',
    goalBonded: '0.67',
    blocksPerYear: 5_259_492,
  },
  fees: { kind: 'feemarket', minBasePrice: '0.005', learningRate: '0.125', maxBlockGas: 30_000_000 },
  node: { txIndex: true, keepsResults: true, celestiaCore: false },
  validators: [
    { moniker: 'operator', tokens: '400000', commission: '0.05' },
    { moniker: 'other', tokens: '600000', commission: '0.1' },
  ],
}

/** The same with a fixed price, parked rewards and no index. */
export const celestia: CosmosGenesis = {
  ...hub,
  prefix: 'celestia',
  denom: 'utia',
  distribution: { communityTax: '0.02', parksRewards: true },
  slashing: { ...hub.slashing, doubleSignFraction: '0.02' },
  mint: { kind: 'schedule', since: '2023-10-31T14:00:00Z', initial: '0.0267', disinflation: '0.067', floor: '0.015' },
  fees: { kind: 'minimum', nodePrice: '0.004', networkPrice: '0.000001' },
  node: { txIndex: false, keepsResults: false, celestiaCore: true },
}

/** First block of every chain of a test: 2026-11-21T00:00:00Z. */
export const startTime = Date.UTC(2026, 10, 21)
/** More than any gas here costs, and its fee on either chain. */
export const gas = 400_000

/** The client as it is, with its insides within reach. */
export class Client extends SigningStargateClient {
  get comet() {
    return this.forceGetCometClient()
  }
  get query() {
    return this.forceGetQueryClient()
  }
}

/** A chain with one funded wallet, and the unchanged client on it. */
export interface Bench {
  readonly chain: CosmosChain
  readonly client: Client
  readonly address: string
  readonly validator: string
  readonly denom: string
  readonly fee: StdFee
  amount(native: number): { denom: string; amount: string }
  delegate(amount: string): EncodeObject
  undelegate(amount: string): EncodeObject
  withdraw(): EncodeObject
  /** Signs for the account as it stands, or as told. */
  sign(
    message: EncodeObject,
    how?: { fee?: StdFee; memo?: string; sequence?: number; accountNumber?: number; chainId?: string },
  ): Promise<Uint8Array>
  /** Signs, sends and returns what came of it in its block. */
  run(message: EncodeObject): Promise<{ code: number; codespace: string; log: string }>
  /** Rewards that a claim would pay, in units of 10^-18 of a base unit. */
  pending(): Promise<bigint>
  balance(): Promise<bigint>
}

export const privateKey = fromHex('0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef')

export async function bench(
  t: Test,
  genesis: CosmosGenesis = hub,
  options: { chainId?: string; key?: Uint8Array; fund?: string } = {},
): Promise<Bench> {
  const chainId = options.chainId ?? (genesis.prefix === 'cosmos' ? 'cosmoshub-4' : 'celestia')
  const chain = await startCosmosChain({ chainId, genesis, time: startTime })
  t.teardown(() => chain.close())
  const wallet = await DirectSecp256k1Wallet.fromKey(options.key ?? privateKey, genesis.prefix)
  const { address } = (await wallet.getAccounts())[0]!
  if (options.fund !== '0') await chain.fund(address, options.fund ?? '1000')
  const gasPrice = GasPrice.fromString(`0.006${genesis.denom}`)
  const client = (await Client.connectWithSigner(chain.rpcUrl, wallet, { gasPrice, broadcastPollIntervalMs: 1 })) as Client
  t.teardown(() => client.disconnect())
  // The class method makes its own kind; the insides are the same.
  Object.setPrototypeOf(client, Client.prototype)
  const { denom } = genesis
  const validator = chain.validator()
  const fee: StdFee = { amount: [{ denom, amount: String(gas * 0.006) }], gas: String(gas) }
  const coins = (amount: string) => ({ denom, amount })
  const sign: Bench['sign'] = async (message, how = {}) => {
    const at = await client.getSequence(address)
    const signer = {
      accountNumber: BigInt(how.accountNumber ?? at.accountNumber),
      sequence: how.sequence ?? at.sequence,
      chainId: how.chainId ?? chainId,
    }
    return TxRaw.encode(await client.sign(address, [message], how.fee ?? fee, how.memo ?? '', signer)).finish()
  }
  return {
    chain,
    client,
    address,
    validator,
    denom,
    fee,
    sign,
    amount: (native) => coins(String(native * 1_000_000)),
    delegate: (amount) => ({
      typeUrl: '/cosmos.staking.v1beta1.MsgDelegate',
      value: { delegatorAddress: address, validatorAddress: validator, amount: coins(amount) },
    }),
    undelegate: (amount) => ({
      typeUrl: '/cosmos.staking.v1beta1.MsgUndelegate',
      value: { delegatorAddress: address, validatorAddress: validator, amount: coins(amount) },
    }),
    withdraw: () => ({
      typeUrl: '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward',
      value: { delegatorAddress: address, validatorAddress: validator },
    }),
    async run(message) {
      await client.broadcastTxSync(await sign(message))
      const { height } = chain.node!.latest
      const { code, codespace, log } = chain.node!.block(height)!.results[0]!
      return { code, codespace, log }
    },
    async pending() {
      const { QueryDelegationTotalRewardsRequest: Request, QueryDelegationTotalRewardsResponse: Response } = await import(
        'cosmjs-types/cosmos/distribution/v1beta1/query'
      )
      const request = Request.encode({ delegatorAddress: address }).finish()
      const { value } = await client.query.queryAbci('/cosmos.distribution.v1beta1.Query/DelegationTotalRewards', request)
      const entry = Response.decode(value).rewards.find(({ validatorAddress }) => validatorAddress === validator)
      return BigInt(entry?.reward[0]?.amount ?? '0')
    },
    balance: () => chain.balance(address),
  }
}

/** Any key, made from a number. */
export function keyOf(number: number): Uint8Array {
  const key = new Uint8Array(32).fill(1)
  new DataView(key.buffer).setUint32(0, number)
  Secp256k1.makeKeypair(key)
  return key
}

/** Sends a body to the RPC port, or reads a path. */
export async function http(url: string, body?: unknown): Promise<{ status: number; body: any }> {
  const init = body === undefined ? {} : { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }
  const response = await fetch(url, init)
  const text = await response.text()
  return { status: response.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text }
}

/** Checks a property, and counts as an assertion. */
export function holds<T>(t: Test, property: IProperty<T>, parameters: Parameters<T> = {}): void {
  t.doesNotThrow(() => assert(property, parameters))
}
