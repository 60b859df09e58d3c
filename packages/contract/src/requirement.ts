import type { Upstream } from './endpoint.ts'
import { isServiceError } from './errors.ts'
import type { KitContext } from './family.ts'
import { unanswered } from './json-rpc-answers.ts'
import type { JsonRpcFault } from './json-rpc-wave.ts'
import { nodeBusy, saysBusy } from './liveness.ts'
import { itemsOf, membersOf } from './members.ts'

/** A setting of a node's software, or of what stands before the node. */
export interface NodeSetting {
  /** Name and value of the setting, with its place. @example `enable = true` under `[grpc]` of app.toml */
  readonly name: string
  /** Value with which the node's software comes. @example on */
  readonly standard: string
  /** URL of the page or the source that documents it. */
  readonly source: string
  /** Day on which the source was read. @example 2026-11-24 */
  readonly read: string
}

/** Context of a probe that asks one endpoint whether it meets a requirement. */
export interface ProbeContext<Client = unknown, Net = unknown> extends KitContext<Client, Net> {
  /** Connection that reaches that endpoint alone. */
  readonly upstream: Upstream
}

/** Requirement that an endpoint must meet for a family or a protocol to work on it. */
export interface Requirement<Client = unknown, Net = unknown> {
  /** Name of the requirement, a noun, unique within the protocol. @example simulation of transactions */
  readonly name: string
  /** Weight of the requirement. `needed`: without it an operation fails. `lessens`: without it some answers are null, not proven, or slower. */
  readonly weight: 'needed' | 'lessens'
  /** Calls that depend on the requirement, as `callsOf` names them: conformance compares them with the plugin's actual calls. */
  readonly calls: readonly string[]
  /** Clause on what fails without it. @example no transaction can be crafted */
  readonly without: string
  readonly setting: NodeSetting
  /**
   * Asks the endpoint in the plugin's own way, and as cheaply as possible. Changes nothing on the chain.
   *
   * @returns null where the endpoint has it, else what it said instead
   * @throws where the endpoint gave no answer, so that nothing is known of it
   */
  probe(ctx: ProbeContext<Client, Net>): Promise<string | null>
}

// biome-ignore lint/suspicious/noExplicitAny: a requirement is invariant in its client; only the kit that declares it binds the two
export type AnyRequirement = Requirement<any, any>

/** Result of asking an endpoint for one requirement. */
export interface RequirementResult {
  readonly requirement: AnyRequirement
  /** `unknown`: the endpoint gave no answer to the question. */
  readonly state: 'met' | 'missing' | 'unknown'
  /** Endpoint's own words, where the requirement is missing or unknown; empty where it is met. */
  readonly said: string
}

/** Questions that are under way to one endpoint at a time: a public one refuses many at once. */
const AT_ONCE = 4
/** Characters of an endpoint's own words that are shown. */
const SHOWN = 160

/** Asks one endpoint for each requirement, a few at a time. @returns in the order of the requirements */
export async function askRequirements(requirements: readonly AnyRequirement[], ctx: ProbeContext): Promise<readonly RequirementResult[]> {
  const results: RequirementResult[] = []
  const waiting = requirements.entries()
  const worker = async () => {
    for (const [at, requirement] of waiting) results[at] = await asked(requirement, ctx)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return results
}

async function asked(requirement: AnyRequirement, ctx: ProbeContext): Promise<RequirementResult> {
  try {
    const complaint = await requirement.probe(ctx)
    return complaint === null ? { requirement, state: 'met', said: '' } : { requirement, state: 'missing', said: shown(complaint) }
  } catch (error) {
    return { requirement, state: 'unknown', said: isServiceError(error) || error instanceof Error ? shown(error.message) : 'no answer' }
  }
}

/** Shortens a node's words to one line, without what a terminal would obey. */
function shown(words: string): string {
  const line = words.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line
}

/** Answer of a node to a call of JSON-RPC. */
export type JsonRpcAnswer = { readonly result: unknown } | { readonly fault: JsonRpcFault; readonly words: string }

/** Asks one endpoint over JSON-RPC and returns its answer, including an error, as it is. @throws where it is too busy to say, or answers nothing that is JSON-RPC */
export async function askNode({ upstream }: Pick<ProbeContext, 'upstream'>, method: string, params: unknown): Promise<JsonRpcAnswer> {
  const answer = membersOf(await posted(upstream, { jsonrpc: '2.0', id: 1, method, params }))
  if (typeof answer.error === 'object' && answer.error !== null) {
    const fault: JsonRpcFault = answer.error
    const words = [fault.message, fault.data].filter((part) => typeof part === 'string' && part !== '').join(': ')
    if (saysBusy(words)) throw nodeBusy(fault).refusal
    return { fault, words: words || `error ${String(fault.code)}` }
  }
  if (answer.result === undefined) throw unanswered(answer).refusal
  return { result: answer.result }
}

/** Asks one batch of `size` equal calls, and counts the answers of the endpoint. @throws as `askNode` */
export async function askBatch(
  { upstream }: Pick<ProbeContext, 'upstream'>,
  method: string,
  params: unknown,
  size: number,
): Promise<{ readonly answered: number; readonly words: string }> {
  const body = Array.from({ length: size }, (_, index) => ({ jsonrpc: '2.0', id: index + 1, method, params }))
  const answer = await posted(upstream, body)
  const answers = (Array.isArray(answer) ? itemsOf(answer) : [answer]).map(membersOf)
  const answerCount = answers.filter(({ result }) => result !== undefined).length
  const { message, data } = membersOf(answers.find(({ error }) => membersOf(error).message !== undefined)?.error)
  const words = [message, data].filter((part) => typeof part === 'string' && part !== '').join(': ')
  if (answerCount < size && saysBusy(words)) throw nodeBusy(words).refusal
  return { answered: answerCount, words }
}

function posted(upstream: Upstream, body: unknown): Promise<unknown> {
  return upstream.exchange(async (send) => {
    const response = await send('http://upstream.invalid/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    try {
      return JSON.parse(text) as unknown
    } catch {
      // A host may refuse a batch by a plain text.
      return { error: { code: response.status, message: text.slice(0, SHOWN) || `HTTP ${response.status}` } }
    }
  })
}

/** JSON-RPC's unknown method. @see https://www.jsonrpc.org/specification (read 2026-11-24) */
const NOT_FOUND = -32_601
/** The same, in the words of nodes and of hosts that stand before them; geth answers a namespace that is off so (recorded 2026-11-23). */
const NOT_SERVED =
  /does not exist\/is not available|method not found|method .{0,60}not (?:supported|allowed|available|enabled|whitelisted)|unsupported method/i

/** Asks for each of the methods, and looks only whether the endpoint serves it. @returns the first that is not, with the node's words; null where all are */
export async function missingMethod(ctx: Pick<ProbeContext, 'upstream'>, calls: Readonly<Record<string, unknown>>): Promise<string | null> {
  const answers = await Promise.all(
    Object.entries(calls).map(async ([method, params]) => ({ method, answer: await askNode(ctx, method, params) })),
  )
  const missing = answers.find(({ answer }) => 'fault' in answer && isNotServed(answer.fault))
  return missing && 'words' in missing.answer ? `${missing.method}: ${missing.answer.words}` : null
}

/** Tells whether a JSON-RPC error says that the endpoint does not serve the method at all. */
export function isNotServed({ code, message }: JsonRpcFault): boolean {
  return code === NOT_FOUND || NOT_SERVED.test(String(message ?? ''))
}

/** gRPC over HTTP: `/package.Service/Method`, behind whatever path an endpoint has. */
const GRPC_PATH = /\/([a-z][\w.]*\.[A-Z]\w*\/[A-Z]\w*)$/

/**
 * Lists the calls that a request makes to a node, in the form of requirements: methods of JSON-RPC, with the path of an `abci_query` behind it, and methods of gRPC.
 *
 * @example ['eth_chainId', 'abci_query /cosmos.bank.v1beta1.Query/Balance', 'sui.rpc.v2.LedgerService/GetObject']
 */
export function callsOf(url: string, body: string): readonly string[] {
  const grpc = GRPC_PATH.exec(URL.canParse(url) ? new URL(url).pathname : '')
  if (grpc?.[1] !== undefined) return [grpc[1]]
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return []
  }
  return (Array.isArray(value) ? value : [value]).flatMap((question) => {
    const { method, params } = membersOf(question)
    if (typeof method !== 'string') return []
    const { path } = membersOf(params)
    return [method === 'abci_query' && typeof path === 'string' ? `${method} ${path}` : method]
  })
}
