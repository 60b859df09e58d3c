import { SuiGrpcClient } from '@mysten/sui/grpc'
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { Transaction } from '@mysten/sui/transactions'
import type { Test } from 'tap'
import { type MoveChain, startMoveChain } from '../src/index.ts'

export const sui = 1_000_000_000n

/** A chain with one validator, a funded wallet, and the real client. */
export interface Bench {
  readonly chain: MoveChain
  readonly client: SuiGrpcClient
  readonly key: Ed25519Keypair
  readonly address: string
  readonly validator: string
  readonly poolId: string
  /** Builds with the node's help, signs, sends; what came of it, failed or not. */
  run(tx: Transaction): Promise<TransactionResult>
  stake(amount: bigint): Promise<string>
  /** Sends a withdrawal; what it paid out beside the gas. */
  withdraw(id: string): Promise<bigint>
}

export interface TransactionResult {
  readonly digest: string
  readonly status: any
  readonly effects: any
  readonly events: any[]
  readonly balanceChanges: any[]
  readonly created: (type: string) => string
}

export const include = { effects: true, events: true, balanceChanges: true, objectTypes: true } as const

export async function bench(
  t: Test,
  options: {
    epoch?: bigint
    chainId?: string
    fund?: bigint
    format?: 'text' | 'binary'
    stake?: bigint
    rewardPerEpoch?: bigint
    commissionBps?: number
  } = {},
): Promise<Bench> {
  const chain = await startMoveChain({
    chainId: options.chainId ?? 'mainnet',
    ...(options.epoch === undefined ? {} : { epoch: options.epoch }),
  })
  t.teardown(() => chain.close())
  const { stake, rewardPerEpoch, commissionBps = 0 } = options
  const made = await chain.createValidator({
    name: 'Operator',
    commissionBps,
    ...(stake === undefined ? {} : { stake }),
    ...(rewardPerEpoch === undefined ? {} : { rewardPerEpoch }),
  })
  const client = clientOf(chain, options.format)
  const key = Ed25519Keypair.fromSecretKey(Uint8Array.from({ length: 32 }, (_, index) => index))
  const address = key.toSuiAddress()
  if (options.fund !== 0n) await chain.fund(address, options.fund ?? 1000n * sui)
  const run: Bench['run'] = async (tx) => {
    tx.setSenderIfNotSet(address)
    const bytes = await tx.build({ client })
    const { signature } = await key.signTransaction(bytes)
    return done(await client.executeTransaction({ transaction: bytes, signatures: [signature], include }))
  }
  return {
    chain,
    client,
    key,
    address,
    validator: made.address,
    poolId: made.poolId,
    run,
    async stake(amount) {
      return (await run(stakeTx(amount, made.address))).created('StakedSui')
    },
    async withdraw(id) {
      const tx = new Transaction()
      tx.moveCall({ target: '0x3::sui_system::request_withdraw_stake', arguments: [tx.object.system({ mutable: true }), tx.object(id)] })
      const { balanceChanges, effects } = await run(tx)
      const { computationCost, storageCost, storageRebate } = effects.gasUsed
      return BigInt(balanceChanges[0].amount) + BigInt(computationCost) + BigInt(storageCost) - BigInt(storageRebate)
    },
  }
}

export function clientOf(chain: MoveChain, format: 'text' | 'binary' = 'binary'): SuiGrpcClient {
  return new SuiGrpcClient({ network: chain.chainId, baseUrl: chain.rpcUrl, format })
}

export function stakeTx(amount: bigint, validator: string): Transaction {
  const tx = new Transaction()
  const [coin] = tx.splitCoins(tx.gas, [tx.pure.u64(amount)])
  tx.moveCall({
    target: '0x3::sui_system::request_add_stake',
    arguments: [tx.object.system({ mutable: true }), coin!, tx.pure.address(validator)],
  })
  return tx
}

export function done(result: any): TransactionResult {
  const found = result.Transaction ?? result.FailedTransaction
  return {
    digest: found.digest,
    status: found.status,
    effects: found.effects,
    events: found.events,
    balanceChanges: found.balanceChanges,
    created(type) {
      const change = found.effects.changedObjects.find(
        ({ objectId, idOperation }: any) => idOperation === 'Created' && found.objectTypes[objectId]?.endsWith(`::${type}`),
      )
      if (change === undefined) throw new Error(`created no ${type}: ${JSON.stringify(found.status)}`)
      return change.objectId
    },
  }
}

/** Code, message and what execution said of a rejected promise. */
export async function refusal(promise: Promise<unknown>): Promise<{ code: string | undefined; message: string; executionError: any }> {
  try {
    await promise
  } catch (error) {
    const { cause, message, executionError, code } = error as any
    return { code: cause?.code ?? code, message, executionError }
  }
  throw new Error('it was not refused')
}
