import { membersOf } from '@svc/contract'
import type { FamilyLife, Stage } from '../life/family.ts'
import type { Wallet } from '../wallet.ts'
import { expiryScene, type SignBytes } from './move-expiry.ts'
import { ask } from './move-grpc.ts'
import { readTransaction } from './move-wire.ts'
import { readFields, textBytes, writeFields } from './protobuf.ts'

// Numbers of fields: ExecuteTransactionRequest, Transaction, UserSignature, Bcs, GetServiceInfoResponse.
// https://github.com/MystenLabs/sui-apis/tree/main/proto/sui/rpc/v2 (read 2026-11-22)
const TRANSACTION = 1
const SIGNATURES = 2
const BCS = 1
const VALUE = 2
const HEIGHT = 4
const LOWEST = 6

/** What Sui transactions go through on a local node. @param sign with the key of a wallet */
export const moveScenes = <W extends Wallet>(sign: SignBytes<W>): FamilyLife<W> => ({
  async send(rpcUrl, body) {
    const { bytes, signatures } = signedOf(body)
    const bcs = (value: Uint8Array) => writeFields([{ number: BCS, value: writeFields([{ number: VALUE, value }]) }])
    const { status, message, words } = await ask(
      rpcUrl,
      'TransactionExecutionService/ExecuteTransaction',
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
      name: 'its coins are locked until the epoch ends',
      given: 'tracked',
      async play(stage) {
        const [coin] = readTransaction(signedOf(stage.body).bytes).payment
        await stage.operate('lock', { object: `0x${coin?.id}` })
      },
      told: ['pending'],
    },
    expiryScene(sign),
  ],
})

/** Sends it to a node that does not get it executed. */
async function waits(stage: Stage): Promise<void> {
  await stage.operate('hold', { on: true })
  const taken = await stage.send(stage).then(
    () => true,
    () => false,
  )
  if (taken) throw new TypeError('the chain executed what should have waited')
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
