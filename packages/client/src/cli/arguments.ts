import { parseArgs } from 'node:util'
import { Mistake } from './outcome.ts'

/** A craft to be checked: names of files, but for protocol, action and network. */
export interface VerifyAsked {
  readonly command: 'verify'
  readonly trust: string
  readonly protocol: string
  readonly action: string
  readonly request: string
  /** undefined where only what was signed is there. */
  readonly craft: string | undefined
  /** A signed transaction, hex or base64, `-` for standard input; undefined where only the craft is checked. */
  readonly signed: string | undefined
  /** Names of terms that whoever signed was free to choose. */
  readonly chosen: readonly string[]
  readonly headers: string | undefined
  /** Headers of the request, over which the answer is signed. */
  readonly sent: string | undefined
  /** Seconds. */
  readonly maxAge: number | undefined
  readonly network: string | undefined
}

/** A transaction to be explained. */
export interface ExplainAsked {
  readonly command: 'explain'
  /** Hex or base64; `-` for standard input. */
  readonly transaction: string
  readonly trust: string | undefined
  readonly protocol: string | undefined
  readonly headers: string | undefined
  readonly network: string | undefined
}

/** Questions to be answered, a line each. */
export interface ServeAsked {
  readonly command: 'serve'
  /** Files of trust documents by the names that questions give them. */
  readonly trusts: ReadonlyMap<string, string>
  /** Path of a socket; undefined for the standard streams. */
  readonly socket: string | undefined
}

type Asked = VerifyAsked | ExplainAsked | ServeAsked | { readonly command: 'help' }

const text = { type: 'string' } as const
const OPTIONS = {
  trust: { type: 'string', multiple: true },
  socket: text,
  protocol: text,
  action: text,
  request: text,
  craft: text,
  signed: text,
  chosen: text,
  headers: text,
  sent: text,
  'max-age': text,
  network: text,
  help: { type: 'boolean', short: 'h' },
} as const

/** Reads the command line of `svc-verify`. @throws Mistake */
export function readArguments(args: readonly string[]): Asked {
  const { values, positionals } = parse(args)
  const { trust: trusts = [], socket, ...rest } = values
  const { protocol, action, request, craft, signed, chosen, headers, sent, 'max-age': age, network } = rest
  const [command, transaction, more] = positionals
  if (values.help || args.length === 0) return { command: 'help' }
  if (command === 'serve') {
    const stray = Object.keys(rest)[0] ?? transaction
    if (stray !== undefined) throw new Mistake(`serve takes --trust and --socket, and no ${stray}.`)
    return { command, trusts: namedFiles(trusts), socket }
  }
  if (socket !== undefined) throw new Mistake('--socket is an option of serve.')
  if (trusts.length > 1) throw new Mistake('--trust is given twice; serve alone takes more than one.')
  const [trust] = trusts
  if (command === 'explain') {
    if (transaction === undefined) throw new Mistake('explain needs a transaction: hex, base64, or - for standard input.')
    if (more !== undefined) throw new Mistake('explain takes one transaction; without spaces, or in quotes.')
    const stray = Object.entries({ action, request, craft, signed, chosen, sent, 'max-age': age }).find(([, value]) => value !== undefined)
    if (stray) throw new Mistake(`explain takes no --${stray[0]}.`)
    if ((trust === undefined) !== (protocol === undefined))
      throw new Mistake(
        'A trust document says nothing without a protocol, nor a protocol without it: give both --trust and --protocol, or neither.',
      )
    return { command, transaction, trust, protocol, headers, network }
  }
  if (command !== undefined)
    throw new Mistake(`There is no command ${JSON.stringify(command)}; there are explain and serve. See svc-verify --help.`)
  if (trust === undefined || protocol === undefined || action === undefined || request === undefined || (craft ?? signed) === undefined) {
    const needed = { trust, protocol, action, request, craft: craft ?? signed }
    const missing = Object.entries(needed).filter(([, value]) => value === undefined)
    throw new Mistake(
      `${missing.map(([name]) => `--${name}`).join(', ')} ${missing.length > 1 ? 'are' : 'is'} missing. See svc-verify --help.`,
    )
  }
  if (chosen !== undefined && signed === undefined)
    throw new Mistake('--chosen needs --signed: it says what whoever signed was free to choose.')
  if (sent !== undefined && craft === undefined) throw new Mistake('--sent needs --craft: the answer is what it is the signature of.')
  if (sent !== undefined && headers === undefined) throw new Mistake("--sent needs --headers: the answer's signature stands there.")
  if (age !== undefined && sent === undefined)
    throw new Mistake('--max-age needs --sent and --headers: without the signature nothing says when the answer was made.')
  const names = chosen?.split(',') ?? []
  return {
    command: 'verify',
    trust,
    protocol,
    action,
    request,
    craft,
    signed,
    chosen: names,
    headers,
    sent,
    maxAge: secondsOf(age),
    network,
  }
}

/** Reads the names of trust documents: `name=file`, or a file alone, which is named `default`. @throws Mistake */
function namedFiles(trusts: readonly string[]): ReadonlyMap<string, string> {
  if (trusts.length === 0) throw new Mistake('serve needs --trust, once or more: a file, or name=file. See svc-verify --help.')
  const files = new Map<string, string>()
  for (const each of trusts) {
    const [, name = 'default', file = each] = /^([a-z0-9-]+)=(.+)$/.exec(each) ?? []
    if (files.has(name)) throw new Mistake(`--trust names ${name} twice.`)
    files.set(name, file)
  }
  return files
}

/** Reads a number of seconds from an option. @throws Mistake */
function secondsOf(words: string | undefined): number | undefined {
  if (words === undefined) return undefined
  if (!/^\d{1,9}$/.test(words)) throw new Mistake(`--max-age is ${JSON.stringify(words)}; it must be whole seconds, such as 300.`)
  return Number(words)
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    const [sentence] = (error instanceof Error ? error.message : String(error)).split('. To specify')
    throw new Mistake(`${sentence}. See svc-verify --help.`)
  }
}
