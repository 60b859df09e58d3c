/** One end of a channel on which values are passed by copying: a worker, or the global of one. */
export interface Channel {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void
}

/** An error as it crosses a channel. */
interface Fault {
  readonly name: string
  readonly message: string
  /** The refusal of a service in its own words; null for every other error. */
  readonly refusal: { readonly sentence: string; readonly code: string; readonly retryAfter: number | null } | null
  /** Hash of a transaction that may have been sent; null when nothing has left. */
  readonly txHash: string | null
}

/** An error from the other end. */
export class Far extends Error implements Fault {
  readonly refusal: Fault['refusal']
  readonly txHash: string | null

  constructor({ name, message, refusal, txHash }: Fault) {
    super(message)
    this.name = name
    this.refusal = refusal
    this.txHash = txHash
  }
}

/** The other end did not answer in time. */
export class Late extends Error {
  override name = 'Late'
}

/** Answers to calls from the other end, by their names. */
export type Handlers = Readonly<Record<string, (argument: unknown) => unknown>>

type Message =
  | { readonly id: number; readonly call: string; readonly argument: unknown }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly fault: Fault }

/** Calls to the other end. */
export interface Port {
  /** @param ms how long the answer may take, in milliseconds; without it there is no end @throws Far, Late */
  call(name: string, argument: unknown, ms?: number): Promise<unknown>
}

/** Binds both directions of calls to a channel. What comes from the other end is taken for nothing that it says: who calls looks at the shape. */
export function connect(channel: Channel, handlers: Handlers): Port {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let last = 0
  channel.addEventListener('message', ({ data }) => {
    if (!isMessage(data)) return
    if ('call' in data) void answer(channel, handlers, data)
    else {
      const caller = waiting.get(data.id)
      waiting.delete(data.id)
      if ('fault' in data) caller?.reject(new Far(faultOf(data.fault)))
      else caller?.resolve(data.value)
    }
  })
  return {
    call(name, argument, ms) {
      const id = ++last
      return new Promise((resolve, reject) => {
        const timer =
          ms === undefined ? undefined : setTimeout(() => end(() => reject(new Late(`No answer came within ${ms / 1000} s.`))), ms)
        const end = (settle: () => void) => {
          clearTimeout(timer)
          waiting.delete(id)
          settle()
        }
        waiting.set(id, { resolve: (value) => end(() => resolve(value)), reject: (error) => end(() => reject(error)) })
        channel.postMessage({ id, call: name, argument } satisfies Message)
      })
    },
  }
}

async function answer(
  channel: Channel,
  handlers: Handlers,
  { id, call, argument }: Extract<Message, { readonly call: string }>,
): Promise<void> {
  try {
    const handler = Object.hasOwn(handlers, call) ? handlers[call] : undefined
    if (!handler) throw new Error(`There is nothing here called ${call}.`)
    channel.postMessage({ id, value: await handler(argument) } satisfies Message)
  } catch (error) {
    channel.postMessage({ id, fault: faultOf(error) } satisfies Message)
  }
}

/** An error, or what the other end says is one, with all of its members of the right kinds. */
function faultOf(error: unknown): Fault {
  const { name, message, txHash, refusal, sentence, code, retryAfter } = Object(error) as Readonly<Record<string, unknown>>
  const words = Object(refusal ?? { sentence, code, retryAfter }) as Readonly<Record<string, unknown>>
  return {
    name: textOr(name, 'Error'),
    message: textOr(message, String(error)),
    refusal:
      typeof words.sentence === 'string'
        ? {
            sentence: words.sentence,
            code: textOr(words.code, ''),
            retryAfter: typeof words.retryAfter === 'number' ? words.retryAfter : null,
          }
        : null,
    txHash: typeof txHash === 'string' ? txHash : null,
  }
}

function textOr(value: unknown, other: string): string {
  return typeof value === 'string' ? value : other
}

function isMessage(data: unknown): data is Message {
  if (typeof data !== 'object' || data === null || !('id' in data) || typeof data.id !== 'number') return false
  return 'call' in data ? typeof data.call === 'string' : 'value' in data || 'fault' in data
}
