import { exactNumber, itemsOf, membersOf } from '@svc/contract'
import type { Liar, Lie } from '../../family.ts'

// What every family that speaks JSON-RPC has in common when it lies. https://www.jsonrpc.org/specification (read 2026-11-22)

type Message = Readonly<Record<string, unknown>>

/** A changed value, or what makes it; and which member of `believed` it is about: without that it must be recognised. */
export type Change = readonly [what: string, value: unknown, believed?: string | undefined]

/** A value within a result that holds no other. */
export interface Leaf {
  readonly method: string
  readonly params: unknown
  /** `result.timestamp` */
  readonly path: string
  readonly value: unknown
  readonly now: Date
}

/** Lies that a family adds. */
export interface JsonRpcLies extends Pick<Liar, 'believed' | 'apart'> {
  /** False values of a leaf. */
  leaf(leaf: Leaf): readonly Change[]
  /** Names what is believed of a list that has an item twice, or lacks its last one, where the lie is to be believed. */
  list(method: string, path: string): { readonly missing?: string; readonly doubled?: string }
  /** Names what is believed when something is left out, or null although it holds more than one value, where the lie is to be believed. */
  absent?(leaf: Leaf): string | undefined
  /** A question in a few words, where its parameters do not tell; undefined leaves it to them. */
  label?(method: string, params: unknown): string | undefined
  /** A result as a node makes it when a unit of gas costs so many times as much; the result itself, where it is no price. @default no node is asked for a price */
  dearer?(method: string, params: unknown, result: unknown, factor: bigint): unknown
  /** Returns the parameters that make two questions the same one, where some of their parameters are made anew each time. @default all of them */
  sameness?(method: string, params: unknown): unknown
  /** False results of more than one fact, as an error within a result that has a code and words for it. */
  whole?(method: string, params: unknown, result: unknown): readonly Change[]
}

/** Faults that a node reports with HTTP 200 although it has not looked at the question. */
const FAULTS: readonly (readonly [string, unknown])[] = [
  ['is busy (-32005)', { code: -32_005, message: 'limit exceeded' }],
  ['is busy (concurrent requests)', { code: -32_000, message: 'concurrent requests limit reached' }],
  ['failed inside (-32603)', { code: -32_603, message: 'Internal error' }],
  ['does not know the method (-32601)', { code: -32_601, message: 'the method does not exist/is not available' }],
  ['answers an error without a code', { message: 'failed' }],
  ['answers an error that is a text', 'failed'],
]

/** Makes the liar for endpoints that speak JSON-RPC. */
export function jsonRpcLiar({
  believed,
  apart,
  leaf,
  list,
  absent,
  label,
  dearer,
  sameness = (_, params) => params,
  whole: more = () => [],
}: JsonRpcLies): Liar {
  return {
    believed,
    ...(apart ? { apart } : {}),
    ...(dearer
      ? {
          dearer(question, answer, factor) {
            const [method, params] = itemsOf(parsed(question))
            const message = membersOf(parsed(answer))
            if (!('result' in message)) return answer
            return JSON.stringify({ ...message, result: dearer(String(method), params, message.result, factor) })
          },
        }
      : {}),
    questions: ({ body }) =>
      messagesOf(body).map(({ method, params }) => JSON.stringify([method, sameness(String(method), params ?? null)])),
    answers({ body }, text) {
      const questions = messagesOf(body)
      const reply = parsed(text)
      const list = Array.isArray(reply) ? reply.map(membersOf) : [membersOf(reply)]
      const matches = questions.map(({ id }) => list.find((message) => message.id === id))
      const earlier = matches.filter((message) => message !== undefined)
      return earlier.length === matches.length ? earlier.map(({ id: _, ...rest }) => JSON.stringify(rest)) : null
    },
    answer({ body }, answers) {
      const request = parsed(body)
      const messages = messagesOf(body).flatMap(({ id }, index) =>
        (answers[index] ?? []).map((text) => {
          const message = parsed(text)
          return isRecord(message) ? { id, ...message } : message
        }),
      )
      return JSON.stringify(Array.isArray(request) ? messages : messages.length === 1 ? messages[0] : messages)
    },
    lies(question, answer, now) {
      const [methodName, params] = itemsOf(parsed(question))
      const method = String(methodName)
      const message = membersOf(parsed(answer))
      const name = label?.(method, params) ?? nameOf(method, params)
      const whole = (what: string, ...messages: readonly unknown[]): Lie => ({
        name: `${name} ${what}`,
        answers: () => messages.map((each) => JSON.stringify(each)),
      })
      const { jsonrpc = '2.0' } = message
      return [
        ...FAULTS.map(([what, error]) => whole(what, { jsonrpc, error })),
        whole('answers nothing', { jsonrpc }),
        whole('answers null', { jsonrpc, result: null }),
        whole('answers an error next to the result', { ...message, error: { code: -32_603, message: 'Internal error' } }),
        whole('has the number of another question', { ...message, id: 987_654_321 }),
        whole('is left out of the answers'),
        whole('is answered twice', message, message),
        whole('is answered by null', null),
        ...leaves(message.result, 'result', (value) => ({ ...message, result: value })).map(({ what, make, ...about }) => ({
          name: `${name} ${what}`,
          answers: () => [JSON.stringify(make())],
          ...about,
        })),
        ...more(method, params, message.result).map(([what, result, believed]) => ({ ...whole(what, { ...message, result }), believed })),
      ]

      function leaves(value: unknown, path: string, setter: (value: unknown) => unknown): Made[] {
        const at = path === 'result' ? '' : `${path.slice('result'.length).replace(/^\./, '')} `
        const lieOf = ([what, changed, believed]: Change): Made => ({
          what: at + what,
          make: () => setter(typeof changed === 'function' ? changed() : changed),
          believed,
        })
        const forms = (other: (form: unknown) => boolean): Change[] =>
          FORMS.filter(([, form]) => other(form)).map(([what, form]) => [
            what,
            form,
            form === null ? absent?.({ method, params, path, value, now }) : undefined,
          ])
        if (Array.isArray(value)) {
          const { missing, doubled } = list(method, path)
          const items = value
            .slice(0, LIST_MOST)
            .flatMap((item, index) => leaves(item, `${path}[${index}]`, (changed) => setter(value.with(index, changed))))
          const whole: Change[] = [
            ['has its first item twice', [value[0], ...value], doubled],
            ['lacks its last item', value.slice(0, -1), missing],
          ]
          return [...items, ...[...(value.length > 0 ? whole : []), ...forms((form) => !Array.isArray(form))].map(lieOf)]
        }
        if (isRecord(value)) {
          const members = Object.entries(value).flatMap(([member, each]) => [
            ...leaves(each, `${path}.${member}`, (changed) => setter({ ...value, [member]: changed })),
            lieOf([
              `${member} is missing`,
              () => without(value, member),
              absent?.({ method, params, path: `${path}.${member}`, value: each, now }),
            ]),
          ])
          return [...members, ...forms((form) => !isRecord(form)).map(lieOf)]
        }
        return leaf({ method, params, path, value, now }).map(lieOf)
      }
    },
  }
}

/** A lie about a part of a result: the whole message with it, made when it is told. */
interface Made extends Pick<Lie, 'believed'> {
  readonly what: string
  make(): unknown
}

/** Items of a list that are looked at one by one. */
const LIST_MOST = 4

/** Values of another form than any leaf has. */
export const FORMS: readonly Change[] = [
  ['is null', null],
  ['is true', true],
  ['is a fraction', 1.5],
  ['is a list', []],
  ['is an object', {}],
  ['is a word', 'none'],
]

/** A question in a few words. Its parameters are told by their first characters, since two calls of one method differ in them. */
function nameOf(method: string, params: unknown): string {
  const text = JSON.stringify(params) ?? ''
  return text === '[]' || text === '{}' || text === 'null' ? method : `${method} ${text.length > 120 ? `${text.slice(0, 120)}…` : text}`
}

function messagesOf(body: string): readonly Message[] {
  const request = parsed(body)
  return Array.isArray(request) ? request.map(membersOf) : [membersOf(request)]
}

function without(value: Message, member: string): Message {
  const { [member]: _, ...rest } = value
  return rest
}

function isRecord(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('rawJSON' in value)
}

/** An integer that no double holds stays what it was; what takes it out of an answer puts it back. */
function parsed(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_key: string, value: unknown, context?: { readonly source?: string }) => {
    const source = context?.source
    return typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source)
      ? exactNumber(source)
      : value
  })
}
