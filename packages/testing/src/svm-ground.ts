import { base58, type Instruction, type SvmKey, stakeInstructions, svmKey, svmTransaction, transfer } from './svm-message.ts'

/** A node of Solana that can be asked: a real one, or the stand-in. */
export interface SvmGround {
  readonly url: string
  /** With funds. */
  readonly payer: SvmKey
  /** A vote account of the cluster. */
  readonly vote: string
  /** Returns when what was sent before is final. */
  settle(): Promise<void>
}

/** Facts that a question is asked about; all of them are final. */
export interface SvmFacts {
  readonly payer: SvmKey
  readonly vote: string
  readonly other: string
  /** A stake account that was delegated in this epoch. */
  readonly stake: string
  readonly blockhash: string
  readonly slot: number
  /** A transfer, with its bytes. */
  readonly landed: { readonly bytes: Buffer; readonly id: string }
  /** A transfer of more than there was, sent without preflight. */
  readonly failed: { readonly bytes: Buffer; readonly id: string }
  /** Signs anything under the block hash. */
  signed(...instructions: Parameters<typeof svmTransaction>[0]): { readonly bytes: Buffer; readonly id: string }
}

/** A question and its situation. `body` is JSON, or a text where it is none. */
export interface SvmQuestion {
  readonly name: string
  readonly situation: string
  readonly http: string
  readonly body?: (facts: SvmFacts) => unknown
}

export const SOL = 1_000_000_000n
/** An address that nothing stands at. */
export const NOBODY = svmKey('nobody').address
/** A signature of nothing. */
export const NOTHING = base58(Buffer.alloc(64, 7))
/** A block hash of no block. */
export const NO_BLOCK = base58(Buffer.alloc(32, 9))
/** Lamports beyond what any wallet here has. */
export const TOO_MUCH = 10n ** 18n
const TRIES = 600

/** Sends one HTTP request to a node. */
export async function askSvm(url: string, { http, body }: { readonly http: string; readonly body?: unknown }): Promise<SvmAnswer> {
  const [method = 'GET', path = '/'] = http.split(' ')
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await fetch(new URL(path, url), {
    method,
    ...(text === undefined ? {} : { body: text, headers: { 'content-type': 'application/json' } }),
  })
  const contentType = answer.headers.get('content-type')
  const content = await answer.text()
  return { status: answer.status, ...(contentType === null ? {} : { contentType }), body: jsonOf(content) }
}

/** An answer, as a recording keeps it. */
export interface SvmAnswer {
  readonly status: number
  readonly contentType?: string
  readonly body: unknown
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Makes the functions that call a node's methods, and send transactions. */
export function sendSvm(url: string) {
  const call = async (method: string, params: readonly unknown[]) => {
    const { body } = await askSvm(url, { http: 'POST /', body: { jsonrpc: '2.0', id: 1, method, params } })
    const { result, error } = body as { readonly result?: unknown; readonly error?: unknown }
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`)
    return result
  }
  const latest = async () => {
    const { value } = (await call('getLatestBlockhash', [{ commitment: 'confirmed' }])) as {
      readonly value: { readonly blockhash: string }
    }
    return value.blockhash
  }
  /** Returns when it is in a block. @param signers the payer first */
  const send = async (instructions: readonly Instruction[], signers: readonly SvmKey[], skipPreflight = false) => {
    const transaction = svmTransaction(instructions, signers, await latest())
    const options = { encoding: 'base64', preflightCommitment: 'confirmed', skipPreflight }
    await call('sendTransaction', [transaction.bytes.toString('base64'), options])
    for (let tries = 0; tries < TRIES; tries++) {
      const { value } = (await call('getSignatureStatuses', [[transaction.id]])) as {
        readonly value: readonly (null | { confirmationStatus: string })[]
      }
      if (value[0] && value[0].confirmationStatus !== 'processed') return transaction
      await new Promise((done) => setTimeout(done, 50))
    }
    throw new Error(`${transaction.id} did not land`)
  }
  return { call, latest, send }
}

/** Sends the transactions that the questions are about, and waits until they are final. */
export async function prepareSvm({ url, payer, vote, settle }: SvmGround): Promise<SvmFacts> {
  const { call, latest, send } = sendSvm(url)
  const [account, other] = [svmKey('stake account'), svmKey('other').address]
  const landed = await send([transfer(payer.address, other, SOL)], [payer])
  const failed = await send([transfer(payer.address, other, TOO_MUCH)], [payer], true)
  await send(stakeInstructions(payer.address, account.address, vote, 3n * SOL), [payer, account])
  await settle()
  const blockhash = await latest()
  return {
    payer,
    vote,
    other,
    stake: account.address,
    blockhash,
    slot: Number(await call('getSlot', [{ commitment: 'confirmed' }])),
    landed,
    failed,
    signed: (...instructions) => svmTransaction(instructions, [payer], blockhash),
  }
}

/** Options of a read: as the kit asks. */
export const CONFIRMED = { commitment: 'confirmed' }
/** Options of a read of accounts: as the kit asks. */
export const BASE64 = { encoding: 'base64', ...CONFIRMED }

/** Makes the question that calls a method. */
export function rpc(name: string, situation: string, method: string, params: (facts: SvmFacts) => readonly unknown[]): SvmQuestion {
  return { name, situation, http: 'POST /', body: (facts) => ({ jsonrpc: '2.0', id: 1, method, params: params(facts) }) }
}

/** Makes the question with a given body. */
export function raw(name: string, situation: string, body: unknown): SvmQuestion {
  return { name, situation, http: 'POST /', body: () => body }
}
