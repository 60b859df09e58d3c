import { SuiGrpcClient } from '@mysten/sui/grpc'
import type { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { Transaction } from '@mysten/sui/transactions'
import { observe } from '@svc/sandbox'
import type { MoveChain, MoveScenario } from '@svc/sandbox-move'

/** The chain behind a stage, to change what a caller cannot, and to sign what the service does not craft. */
export interface Behind {
  readonly move: MoveChain
  readonly sui: SuiGrpcClient
  /** What a wallet that nobody knows did by itself. @returns ids of the objects of a type that it made */
  run(signer: Ed25519Keypair, build: (tx: Transaction) => void, made?: string): Promise<string[]>
  /** MIST of an address, in coins and address balance together. */
  holds(address: string): Promise<bigint>
  /** MIST that a transaction took for gas, less the rebate. */
  gasOf(digest: string): Promise<bigint>
  /** What the chain's own code says that stakes have earned, in MIST. */
  rewardsOf(ids: readonly string[]): Promise<bigint[]>
  /** Ends an epoch in safe mode: no pool is processed, and no rate is written. */
  safeMode(): void
  /** Lets a validator leave the active set with the end of this epoch. */
  leaves(validator: string): void
}

/** The same scenario, and the chain that it was put on. */
export function onChain(scenario: MoveScenario): { scenario: MoveScenario; chain(): Behind } {
  let behind: Behind | undefined
  const observed = observe(scenario, (chain) => {
    behind = behindOf(chain)
    // Pages without anything on them are a test's own subject, and not part of every count of round trips.
    chain.node.knobs.emptyPageEvery = 0
  })
  return { scenario: observed.scenario, chain: () => behind! }
}

function behindOf(move: MoveChain): Behind {
  const sui = new SuiGrpcClient({ network: move.chainId, baseUrl: move.rpcUrl, format: 'binary' })
  return {
    move,
    sui,
    async run(signer, build, made) {
      const transaction = new Transaction()
      build(transaction)
      const { Transaction: done, FailedTransaction: failed } = await sui.signAndExecuteTransaction({
        signer,
        transaction,
        include: { objectTypes: true },
      })
      if (!done) throw new Error(`the test's own transaction failed: ${JSON.stringify(failed?.status.error)}`)
      return Object.entries(done.objectTypes).flatMap(([id, type]) => (made && type.endsWith(made) ? [id] : []))
    },
    holds: async (address) => (await move.balance(address)).total,
    async gasOf(digest) {
      const { Transaction: done } = await sui.getTransaction({ digest, include: { effects: true } })
      const { computationCost, storageCost, storageRebate } = done!.effects.gasUsed
      return BigInt(computationCost) + BigInt(storageCost) - BigInt(storageRebate)
    },
    async rewardsOf(ids) {
      const transaction = new Transaction()
      transaction.setSender(`0x${'0'.repeat(64)}`)
      for (const id of ids)
        transaction.moveCall({
          target: '0x3::sui_system::calculate_rewards',
          arguments: [transaction.object.system({ mutable: true }), transaction.object(id)],
        })
      const { commandResults } = await sui.simulateTransaction({ transaction, checksEnabled: false, include: { commandResults: true } })
      return commandResults.map(({ returnValues: [value] }) => Buffer.from(value!.bcs).readBigUInt64LE())
    },
    safeMode: () => move.node.endEpoch({ safeMode: true }),
    leaves: (validator) => void move.node.changeValidator(validator, { leaving: true }),
  }
}
