import { membersOf } from '@svc/contract'
import type { FamilyLife, Loss, Stage } from '../../life/family.ts'
import type { Wallet } from '../../wallet.ts'
import { readFields, textBytes, writeFields } from '../shared/protobuf.ts'
import { expiryScene } from './expiry.ts'
import { answered, ask } from './grpc.ts'
import { readTransaction } from './wire.ts'

// Numbers of fields: ExecuteTransactionRequest, Transaction, UserSignature, Bcs, GetServiceInfoResponse.
// https://github.com/MystenLabs/sui-apis/tree/main/proto/sui/rpc/v2 (read 2026-11-22)
const TRANSACTION = 1
const SIGNATURES = 2
const BCS = 1
const VALUE = 2
const HEIGHT = 4
const LOWEST = 6

const EXECUTE = 'TransactionExecutionService/ExecuteTransaction'
/**
 * Numbers of fields: ExecuteTransactionResponse, ExecutedTransaction, TransactionEffects, ExecutionStatus.
 *
 * @see https://github.com/MystenLabs/sui-apis/tree/main/proto/sui/rpc/v2 (read 2026-11-27)
 */
const [EXECUTED, DIGEST, EFFECTS, STATUS, SUCCESS] = [1, 1, 4, 4, 1] as const

/** A node answers when a transaction is executed: one that loses it nevertheless has answered what is not so. */
const loss: Loss = {
  sends: new RegExp(EXECUTE),
  showsWaiting: () => true,
  before: async (stage) => void (await stage.another()),
  taken: (txHash) => ({ type: 'application/grpc-web+proto', body: answered(executed(txHash)) }),
  drop: async () => undefined,
  spoil: async (stage) => stage.send(await stage.another()),
  end: 'replaced',
  after: async () => undefined,
}

/** Makes the scenes of Sui transactions on a local node. */
export const moveScenes = <W extends Wallet>(): FamilyLife<W> => ({
  async send(rpcUrl, body) {
    const { bytes, signatures } = signedOf(body)
    const bcs = (value: Uint8Array) => writeFields([{ number: BCS, value: writeFields([{ number: VALUE, value }]) }])
    const { status, message, words } = await ask(
      rpcUrl,
      EXECUTE,
      writeFields([
        { number: TRANSACTION, value: bcs(bytes) },
        ...signatures.map((signature) => ({ number: SIGNATURES, value: bcs(signature) })),
      ]),
    )
    if (status !== 0 || message === null) throw new TypeError(`the chain answered ${status}: ${words}`)
  },
  async has(rpcUrl, digest) {
    const { status, message } = await ask(rpcUrl, 'LedgerService/GetTransaction', writeFields([{ number: 1, value: textBytes(digest) }]))
    return status === 0 && message !== null
  },
  pruned(question, answer) {
    if (question.includes('/GetTransaction ')) return refused(`Transaction ${'1'.repeat(32)} not found`)
    return question.includes('/GetServiceInfo ') ? forgetful(answer) : answer
  },
  loss,
  unindexed: 'a node of Sui has a transaction by its digest as long as it has the checkpoint, and keeps no index of its own',
  restarted: 'a node of Sui that was started a moment ago is behind, or has forgotten, and has no pool',
  scenes: [
    { name: 'it was sent', given: 'broadcast', play: (stage) => stage.placed(stage), told: ['final'] },
    { name: 'somebody else sent it', given: 'tracked', play: (stage) => stage.send(stage), told: ['final'] },
    { name: 'it was sent, and its hash alone is known', given: 'hash', play: (stage) => stage.send(stage), told: ['final'] },
    { name: 'it was not sent', given: 'tracked', play: async () => undefined, told: ['pending'] },
    { name: 'nobody knows its hash', given: 'hash', play: async () => undefined, told: ['unknown'] },
    {
      name: 'too many wanted the same object',
      given: 'tracked',
      async play(stage) {
        await stage.operate('congest', { times: 1 })
        await stage.send(stage)
      },
      told: ['failed'],
      after: async (stage) => void (await stage.operate('congest', { times: 0 })),
    },
    {
      name: 'another transaction took its coins',
      given: 'tracked',
      before: async (stage) => void (await stage.another()),
      play: async (stage) => stage.send(await stage.another()),
      told: ['replaced'],
    },
    {
      name: 'it waited, and landed late',
      given: 'tracked',
      async play(stage) {
        await waits(stage)
        await stage.operate('hold', { on: false })
      },
      told: ['final'],
      after: released,
    },
    {
      name: 'it waited, and was forgotten',
      given: 'tracked',
      async play(stage) {
        await waits(stage)
        await stage.operate('drop', { hash: stage.txHash })
        await released(stage)
      },
      told: ['pending'],
      after: released,
    },
    {
      name: 'it waited, was forgotten, and another transaction took its coins',
      given: 'tracked',
      before: async (stage) => void (await stage.another()),
      async play(stage) {
        await waits(stage)
        await stage.operate('drop', { hash: stage.txHash })
        await released(stage)
        await stage.send(await stage.another())
      },
      told: ['replaced'],
      after: released,
    },
    {
      name: 'another transaction was sent at once, and took its coins',
      given: 'tracked',
      before: async (stage) => void (await stage.another()),
      async play(stage) {
        const [coin] = readTransaction(signedOf(stage.body).bytes).payment
        await stage.operate('conflict', { object: `0x${coin?.id}` })
        await stage.send(await stage.another())
      },
      told: ['replaced'],
    },
    expiryScene(),
  ],
})

/** The answer of a node that has executed a transaction with success. */
function executed(txHash: string): Uint8Array {
  const status = writeFields([{ number: SUCCESS, value: 1n }])
  const effects = writeFields([{ number: STATUS, value: status }])
  const transaction = writeFields([
    { number: DIGEST, value: textBytes(txHash) },
    { number: EFFECTS, value: effects },
  ])
  return writeFields([{ number: EXECUTED, value: transaction }])
}

/** Sends it to a node that does not get it executed. */
async function waits(stage: Stage): Promise<void> {
  await stage.operate('hold', { on: true })
  const isTaken = await stage.send(stage).then(
    () => true,
    () => false,
  )
  if (isTaken) throw new TypeError('the chain executed what should have waited')
}

async function released(stage: Stage): Promise<void> {
  await stage.operate('hold', { on: false })
}

function signedOf({ signed_tx_b64 }: Readonly<Record<string, unknown>>): { bytes: Uint8Array; signatures: readonly Uint8Array[] } {
  const { bytes, signatures } = membersOf(JSON.parse(Buffer.from(String(signed_tx_b64), 'base64').toString()))
  const read = (text: unknown) => Buffer.from(String(text), 'base64')
  return { bytes: read(bytes), signatures: Array.isArray(signatures) ? signatures.map(read) : [] }
}

/** A refusal in the words of a node, as an answer of gRPC-web: trailers alone, with the status of what is not there. */
function refused(words: string): string {
  const trailers = Buffer.from(`grpc-status: 5\r\ngrpc-message: ${encodeURIComponent(words)}\r\n`)
  const head = Buffer.alloc(5)
  head.writeUInt8(0x80)
  head.writeUInt32BE(trailers.length, 1)
  return Buffer.concat([head, trailers]).toString('latin1')
}

/** The same node, which has nothing from before its head. */
function forgetful(answer: string): string {
  const whole = Buffer.from(answer, 'latin1')
  const length = whole.readUInt32BE(1)
  const fields = readFields(whole.subarray(5, 5 + length))
  const height = fields.find(({ number }) => number === HEIGHT)?.value ?? 0n
  const message = writeFields(
    [...fields.filter(({ number }) => number !== LOWEST), { number: LOWEST, value: height }].sort((a, b) => a.number - b.number),
  )
  const head = Buffer.alloc(5)
  head.writeUInt32BE(message.length, 1)
  return Buffer.concat([head, message, whole.subarray(5 + length)]).toString('latin1')
}
