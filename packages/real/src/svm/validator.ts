import { join } from 'node:path'
import { freePorts } from '@svc/testing/free-ports'
import { type Instruction, type SvmKey, svmKey, svmTransaction, transfer } from '@svc/testing/svm-message'
import { type Programs, type Running, until } from '../programs.ts'

/** A test validator that runs. */
export interface Validator {
  readonly url: string
  /** Holds half a billion SOL. */
  readonly mint: SvmKey
  /** Vote account of the only validator. */
  readonly vote: string
  /** @throws NodeRefusal */
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>
  /** Returns when that many slots have passed. */
  slots(count: number): Promise<void>
  /** Returns when the next epoch has begun, and its rewards are paid. */
  epoch(): Promise<void>
  /** How many slots the epoch still has. */
  left(): Promise<number>
  /** A new wallet with so much. @param sol whole SOL */
  wallet(name: string, sol: bigint): Promise<SvmKey>
  /** Signs instructions and sends them, and returns when they are in a block. @param signers the payer first */
  carry(instructions: readonly Instruction[], signers: readonly SvmKey[]): Promise<void>
  /** Sends bytes past every check, and returns when they are in a block. */
  land(bytes: Uint8Array, id: string): Promise<void>
  /** Ends it and starts it again on its ledger. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Error that the node answered in place of a result. */
class NodeRefusal extends Error {
  readonly code: number
  constructor(method: string, code: number, message: string) {
    super(`${method}: ${code} ${message}`)
    this.code = code
  }
}

/** Slots of an epoch where nothing else is wanted; 432,000 on mainnet. The fewest that a leader schedule allows are 32. */
const SLOTS_PER_EPOCH = 96
/** A slot of 16 ticks lasts 100 ms; one of mainnet has 64. @see https://docs.anza.xyz/implemented-proposals/ (ticks of 6.25 ms, read 2026-11-24) */
const TICKS_PER_SLOT = 16
/** Slots of an epoch in which its rewards may still be paid. */
const REWARD_SLOTS = 6
const SOL = 1_000_000_000n
/** Seconds for whatever is waited for on a machine that builds at the same time. */
const PATIENCE = 120
/** Seconds for a slot on such a machine, ten times as long as it should last. */
const SLOT_PATIENCE = 1

/**
 * Starts a validator on a chain of its own, with quick slots and short epochs.
 *
 * @param folder for its ledger and its log
 * @param slotsPerEpoch a slot lasts 100 ms
 */
export async function startValidator(
  programs: Programs,
  program: string,
  folder: string,
  slotsPerEpoch = SLOTS_PER_EPOCH,
): Promise<Validator> {
  const mint = svmKey('real mint')
  const [port = 0, gossip = 0] = await freePorts(2)
  const url = `http://127.0.0.1:${port}`

  async function rpc(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await answer.json()) as { readonly result?: unknown; readonly error?: { code: number; message: string } }
    if (error) throw new NodeRefusal(method, error.code, error.message)
    return result
  }
  const slot = async () => Number(await rpc('getSlot', [{ commitment: 'confirmed' }]))

  async function start(): Promise<Running> {
    const ports = ['--rpc-port', port, '--gossip-port', gossip].map(String)
    const pace = ['--slots-per-epoch', slotsPerEpoch, '--ticks-per-slot', TICKS_PER_SLOT].map(String)
    const own = ['--ledger', join(folder, 'ledger'), '--mint', mint.address]
    const running = programs.start(program, [...own, ...ports, ...pace], join(folder, 'validator.log'))
    await until('the validator', PATIENCE, async () => (await slot()) > 2, running)
    return running
  }

  async function reached(end: number): Promise<void> {
    const left = Math.max(0, end - (await slot()))
    await until(`slot ${end}`, PATIENCE + left * SLOT_PATIENCE, async () => (await slot()) >= end)
  }

  async function land(bytes: Uint8Array, id: string): Promise<void> {
    const options = { encoding: 'base64', skipPreflight: true }
    await rpc('sendTransaction', [Buffer.from(bytes).toString('base64'), options])
    await until(`transaction ${id}`, PATIENCE, async () => {
      const { value } = (await rpc('getSignatureStatuses', [[id]])) as Statuses
      return value[0] && value[0].confirmationStatus !== 'processed'
    })
  }

  async function carry(instructions: readonly Instruction[], signers: readonly SvmKey[]): Promise<void> {
    const { value } = (await rpc('getLatestBlockhash', [{ commitment: 'confirmed' }])) as { readonly value: { readonly blockhash: string } }
    const { bytes, id } = svmTransaction(instructions, signers, value.blockhash)
    await land(bytes, id)
    const { value: statuses } = (await rpc('getSignatureStatuses', [[id]])) as Statuses
    if (statuses[0]?.err) throw new Error(`Transaction ${id} failed: ${JSON.stringify(statuses[0].err)}`)
  }

  let running = await start()
  // It counts as delinquent until its first vote.
  const vote = await until('the first vote', PATIENCE, async () => {
    const { current } = (await rpc('getVoteAccounts')) as { readonly current: readonly { readonly votePubkey: string }[] }
    return current[0]?.votePubkey
  })
  return {
    url,
    mint,
    vote,
    rpc,
    carry,
    land,
    slots: async (count) => reached((await slot()) + count),
    epoch: async () => reached(Math.floor((await slot()) / slotsPerEpoch + 1) * slotsPerEpoch + REWARD_SLOTS),
    left: async () => slotsPerEpoch - ((await slot()) % slotsPerEpoch),
    async wallet(name, sol) {
      const key = svmKey(name)
      await carry([transfer(mint.address, key.address, sol * SOL)], [mint])
      return key
    },
    async restart() {
      await running.stop()
      running = await start()
    },
    stop: () => running.stop(),
  }
}

interface Statuses {
  readonly value: readonly (null | { readonly confirmationStatus: string; readonly err: unknown })[]
}
