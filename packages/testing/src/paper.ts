import { declareErrors, type Kit, type KitContext, type KitIo, type NetworkBase } from '@svc/contract'
import { parseJson, singleEndpoint } from '@svc/contract/host'
import { createKeyStore, memoryRecords } from '@svc/core/plugins'
import type { Effects } from '@svc/verify'
import type { FastifyBaseLogger } from 'fastify'
import { type Static, Type } from 'typebox'

const { badRequest } = declareErrors({ ADDRESS_INVALID: [400, 'Address invalid.'], TRANSACTION_INVALID: [400, 'Transaction invalid.'] })

/** A chain family that does not exist: its transactions are lines of text. */
export interface PaperDraft {
  readonly from: string
  readonly to: string
  readonly verb: string
  readonly amount: bigint
}

export interface PaperPreflight {
  readonly serial: bigint
  readonly fee: bigint
}

/** Asks a desk over the `fetch` it was given: one word, one answer. */
export interface PaperClient {
  ask<Member extends string = never>(word: string, body?: unknown): Promise<Readonly<Record<Member, string>>>
  closed: boolean
}

export const PaperAddress = Type.Unsafe<string>({
  type: 'string',
  description: 'Paper address: p and three digits.',
  examples: ['p001'],
  'x-address': true,
})

const text = (description: string) => Type.String({ description, examples: ['paper|1|0|5|p001|p002|give|10'] })

const wire = {
  address: PaperAddress,
  unsigned: Type.Object({ unsigned_text: text('Unsigned transaction.') }, { title: 'PaperUnsigned', description: 'An unsigned paper.' }),
  prepare: Type.Object({ unsigned_text: text('Unsigned transaction.'), seal: text('Signature.') }),
  signed: Type.Object({ signed_text: text('Signed transaction.') }, { title: 'PaperSigned', description: 'A signed paper.' }),
  broadcast: Type.Object({ signed_text: text('Signed transaction.') }),
}

/** Makes the kit of the paper family, with parts replaced where a test wants to look inside. */
export function paperKit(
  changes: Partial<Kit<PaperClient, PaperDraft, PaperPreflight, typeof wire>> = {},
): Kit<PaperClient, PaperDraft, PaperPreflight, typeof wire> {
  return {
    family: 'paper',
    type: 'PAPER',
    decimals: 18,
    caip2: ({ chainId }) => `paper:${chainId}`,
    signer: 'address',
    wire,
    network: Type.Object({ ink: Type.String({ default: 'blue' }) }),
    endpoints: 'desk',
    address(input) {
      if (!/^p\d{3}$/i.test(input))
        throw badRequest('ADDRESS_INVALID', `"${input.slice(0, 40)}" is not a paper address: p and three digits.`)
      return input.toLowerCase()
    },
    connect: (_network, io) => connectPaper(io),
    close(client) {
      client.closed = true
    },
    identify: async ({ client }) => (await client.ask<'chain'>('who')).chain,
    async preflight({ client }, signer) {
      const { serial, fee } = await client.ask<'serial' | 'fee'>('serial', { signer })
      return { serial: BigInt(serial), fee: BigInt(fee) }
    },
    async assemble({ client, network }, draft, preflight) {
      const [, live] = await Promise.all([client.ask('try', { line: lineOf(draft) }), preflight])
      return {
        unsigned: { unsigned_text: `paper|${network.chainId}|${live.serial}|${live.fee}|${lineOf(draft)}` },
        terms: { serial: live.serial },
      }
    },
    decode: readPaper,
    names: {
      unsigned: ({ unsigned_text }) => `u-${unsigned_text}`,
      signed({ signed_text }) {
        const cut = signed_text.lastIndexOf('|')
        if (cut < 1) throw badRequest('TRANSACTION_INVALID', 'signed_text is not sealed.')
        return { unsignedHash: `u-${signed_text.slice(0, cut)}`, txHash: `h-${signed_text}` }
      },
    },
    prepare: async (_ctx, { unsigned_text, seal }) => ({ signed_text: `${unsigned_text}|${seal}` }),
    async broadcast({ client }, { signed_text }) {
      await client.ask('post', { signed_text })
      return { tx_hash: `h-${signed_text}` }
    },
    ...changes,
  }
}

/** Writes a draft of the paper family as its unsigned bytes, which are one line of text. */
export function lineOf({ from, to, verb, amount }: PaperDraft): string {
  return `${from}|${to}|${verb}|${amount}`
}

/** Reads a line of unsigned bytes back, independently of `lineOf`. */
export function readPaper({ unsigned_text }: Static<typeof wire.unsigned>) {
  const [word, chainId = '', serial = '', fee = '', from = '', to = '', verb = '', amount, ...rest] = unsigned_text.split('|')
  if (word !== 'paper' || amount === undefined || rest.length > 0) throw new RangeError('not a paper')
  return {
    chainId,
    signers: [from],
    maxFee: BigInt(fee),
    calls: [{ target: to, method: verb, args: {}, value: BigInt(amount) }],
    terms: { serial: BigInt(serial) },
  }
}

/** Makes the promise to a caller, independently of a draft. */
export function promise(from: string, to: string, verb: string, amount: bigint): Effects {
  return { signers: [from], calls: [{ target: to, method: verb, args: {}, value: amount }] }
}

function connectPaper(io: KitIo): PaperClient {
  return {
    closed: false,
    async ask<Member extends string>(word: string, body: unknown = {}) {
      const response = await io.fetch(`http://upstream.invalid/${word}`, { method: 'POST', body: JSON.stringify(body) })
      return parseJson(await response.text()) as Record<Member, string>
    },
  }
}

/** Makes a desk, the stand-in for a chain, that answers every word from a table. */
export function desk(answers: Partial<Record<string, unknown>> = {}): typeof fetch & { readonly asked: string[] } {
  const table: Record<string, unknown> = {
    who: { chain: '1' },
    serial: { serial: '0', fee: '5' },
    try: {},
    post: {},
    ...answers,
  }
  const words: string[] = []
  const answer: typeof fetch = async (url) => {
    const word = new URL(String(url)).pathname.slice(1)
    words.push(word)
    const entry = table[word]
    if (entry instanceof Error) throw entry
    return Response.json(entry ?? {})
  }
  return Object.assign(answer, { asked: words })
}

export const network: NetworkBase = Object.freeze({ name: 'paper one', chainId: '1', decimals: 18, maxFee: 100n })

/** Makes a logger that keeps its lines. */
export function memoryLog() {
  const lines: { readonly level: string; readonly details: Record<string, unknown>; readonly message: string }[] = []
  const at = (level: string) => (details: unknown, message?: string) => {
    lines.push(
      typeof details === 'string'
        ? { level, details: {}, message: details }
        : { level, details: details as object as Record<string, unknown>, message: message ?? '' },
    )
  }
  const log = {
    lines,
    level: 'trace',
    ...Object.fromEntries(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => [level, at(level)])),
  }
  return Object.assign(log, { child: () => log }) as unknown as FastifyBaseLogger & { readonly lines: typeof lines }
}

/** Makes a kit's io over one endpoint. */
export function ioOf(fetch: typeof globalThis.fetch): KitIo & { readonly log: ReturnType<typeof memoryLog> } {
  return { ...singleEndpoint(fetch), log: memoryLog(), now: () => new Date(0) }
}

/**
 * Makes the context that a kit of the paper family is called with: an empty store, the clock at 1970.
 *
 * @param fetch stand-in for the chain @default a desk of its own
 */
export function contextOf(fetch: typeof globalThis.fetch = desk()) {
  const log = memoryLog()
  const ctx = {
    client: connectPaper({ ...ioOf(fetch), log }),
    network,
    log,
    now: () => new Date(0),
    memo: {},
    store: createKeyStore(memoryRecords(), 'paper', log),
    upstream: () => null,
  }
  return ctx satisfies KitContext<PaperClient>
}
