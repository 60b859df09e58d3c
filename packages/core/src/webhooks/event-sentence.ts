import { EVENT_TYPES, type EventType } from './event-types.ts'

/** Members of the data of an event that sentences use, as `life/position-events.ts` and `life/condition-events.ts` write them. */
interface Told {
  readonly wallet?: string
  readonly object_ids?: readonly string[]
  readonly objects?: number
  readonly aspect?: string
  readonly before?: string | null | readonly TellsPower[]
  readonly after?: string | null | readonly TellsPower[]
  readonly changes?: number
  readonly announced?: readonly string[]
  readonly own_addresses?: readonly string[]
  readonly cause?: string
  readonly holder?: string | null
  readonly validator?: string | null
  readonly validators?: readonly string[]
  readonly percent?: string
  readonly kind?: string
  readonly id?: string
  readonly fee?: string
  readonly rule?: string
  readonly call?: string
  readonly refused?: boolean
  readonly effective_epoch?: number | string | null
}

interface TellsPower {
  readonly aspect: string
  readonly holder: string | null
  readonly terms: string | null
}

type Sentence = (data: Told) => string

const UNPROMISED = 'and no transaction that is followed here promised it'

/** Sentences for changes that no followed transaction explains. Addresses are written in full: swindlers use addresses with the same beginning and end. */
const SENTENCES: Partial<Readonly<Record<EventType, Sentence>>> = {
  'security.hidden_call': hiddenSentence,
  'position.control_changed': powerSentence,
  'position.lost': lossSentence,
  'position.moved': moveSentence,
  'position.exit_started': (data) => `${capital(part(data))} has begun to leave, ${UNPROMISED}.`,
  'position.exit_cancelled': (data) => `${capital(part(data))} stays: its exit was cancelled.`,
  'position.slashed': (data) => `${capital(part(data))} is worth less by ${data.percent} %: the validator ${data.validator} was slashed.`,
  'protocol.control_changed': termSentence,
  'protocol.fee_changed': termSentence,
  'protocol.rule_changed': termSentence,
  'validator.commission_changed': termSentence,
}

/** Says in a sentence what an event tells, for people: for a change that came from elsewhere its own, else that of its type. @param body as it is kept */
export function sentenceOf(type: EventType, body: string): string {
  const { data } = JSON.parse(body) as { readonly data?: Told & { readonly severity?: string } }
  return (data?.severity === undefined ? undefined : SENTENCES[type]?.(data)) ?? EVENT_TYPES[type]
}

function hiddenSentence({ wallet, call, refused: isRefused }: Told): string {
  const what = `A signed transaction${wallet ? ` of ${wallet}` : ''}`
  return isRefused
    ? `${what} was refused, since no single request here leads to it. ${call} Whoever has its bytes can still send it elsewhere.`
    : `${what} was sent elsewhere, and no single request here leads to it. ${call}`
}

function powerSentence(data: Told): string {
  const [before, after] = [data.before, data.after].map((each) => (Array.isArray(each) ? (each as readonly TellsPower[]) : []))
  const [gain] = after ?? []
  const [end] = before ?? []
  const named = gain ?? end
  if (named === undefined) return EVENT_TYPES['position.control_changed']
  const others = (data.changes ?? 1) - (gain && end?.aspect === gain.aspect ? 2 : 1)
  const more = others > 0 ? ` ${others === 1 ? 'One more change is' : `${others} more changes are`} in its data.` : ''
  const terms = named.terms === null ? '' : `, ${named.terms}`
  const was = gain && end?.aspect === gain.aspect && end.holder !== gain.holder ? `, and was ${end.holder ?? 'nobody'}` : ''
  const announced = data.announced?.includes(named.aspect)
    ? ', as announced'
    : data.own_addresses?.includes(named.holder ?? '')
      ? ', an own address'
      : ''
  return gain === undefined
    ? `Somebody else has power over ${part(data)} no more: ${words(named.aspect)} was ${named.holder ?? 'nobody'}${terms}.${more}`
    : `Somebody else has gained power over ${part(data)}: ${words(named.aspect)} is ${named.holder ?? 'nobody'} now${terms}${was}${announced}.${more}`
}

function lossSentence(data: Told): string {
  const whole = part(data)
  if (data.cause === 'authority') return `${capital(whole)} belongs to ${data.holder ?? 'somebody else'} now.`
  if (data.cause === 'split') return `A part of ${whole} is gone, and nothing else of the wallet has become more, ${UNPROMISED}.`
  if (data.cause === 'withdrawn') return `What was free to go of ${whole}, or lay beside it, is gone, ${UNPROMISED}.`
  return `${capital(whole)} is there no more, ${UNPROMISED}.`
}

function moveSentence(data: Told): string {
  if (data.holder)
    return `${capital(part(data))} belongs to ${data.holder} now, ${data.announced ? 'as announced' : data.own_addresses ? 'an own address' : 'another wallet that the account watches'}.`
  if (data.validators?.length) return `${capital(part(data))} lies with ${data.validators.join(', ')} now, and lay with ${data.validator}.`
  return `${capital(part(data))} lies in other units now, and is the wallet's as before.`
}

function termSentence({ kind, id, aspect, fee, rule, before, after, effective_epoch: epoch }: Told): string {
  const name = aspect ?? fee ?? rule ?? 'commission'
  const unit = aspect === undefined && rule === undefined ? ' %' : ''
  const value = (each: Told['before']) => (typeof each === 'string' ? `${each}${unit}` : 'none')
  const of = `${capital(words(name))} of the ${kind} ${id}`
  return epoch === null || epoch === undefined
    ? `${of} is ${value(after)} now, and was ${value(before)}.`
    : `${of} is ${value(after)} from epoch ${epoch} on, and ${value(before)} until then.`
}

/** Says which part of a position is meant. */
function part({ wallet, object_ids: ids = [], objects = 0 }: Told): string {
  if (objects === 1) return `the stake ${ids[0]} of ${wallet}`
  return objects === 0 ? `the position of ${wallet}` : `${objects} stakes of ${wallet}`
}

/** Writes a name of snake case as words. */
function words(name: string): string {
  return name.replaceAll('_', ' ')
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
