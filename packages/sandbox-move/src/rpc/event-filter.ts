import type { GrpcTypes } from '@mysten/sui/grpc'
import { invalid } from '../errors.ts'
import { inFull } from '../vm/run.ts'
import type { MoveEvent } from '../vm/world.ts'
import { isAddress } from './identifiers.ts'

/** Most literals of a filter. @see MystenLabs/sui sui-rpc-api config.rs (read 2026-11-23) */
const maxLiterals = 10

/** Tells whether an event is wanted. */
type Matcher = (event: MoveEvent, sender: string) => boolean

/**
 * Makes the test of events for a filter: any of its terms, each with all of its literals.
 *
 * @see MystenLabs/sui sui-rpc-api filter.rs (read 2026-11-23)
 * @throws GrpcError `INVALID_ARGUMENT`
 */
export function matcherOf({ terms }: GrpcTypes.EventFilter): Matcher {
  if (terms.length === 0) throw invalid('filter.terms: at least one filter term is required')
  const literals = terms.reduce((sum, term) => sum + term.literals.length, 0)
  if (literals > maxLiterals) throw invalid(`filter contains ${literals} literals; at most ${maxLiterals} are allowed`)
  const matchers = terms.map((term) => term.literals.map(literal))
  return (event, sender) => matchers.some((all) => all.every((each) => each(event, sender)))
}

function literal({ negated, predicate }: GrpcTypes.EventLiteral): Matcher {
  const matches = predicateOf(predicate)
  return (event, sender) => matches(event, sender) !== negated
}

function predicateOf(predicate: GrpcTypes.EventLiteral['predicate']): Matcher {
  switch (predicate.oneofKind) {
    case 'sender': {
      const address = isAddress('filter.terms.literals.sender.address', predicate.sender.address)
      return (_event, sender) => sender === address
    }
    case 'emitModule': {
      const parts = pathOf('emit_module.module', predicate.emitModule.module, 2)
      return (event) => begins([event.package, event.module], parts)
    }
    case 'eventType': {
      const parts = pathOf('event_type.event_type', predicate.eventType.eventType, 3)
      return ({ type }) => {
        const [generics] = /<.*/.exec(type) ?? ['']
        const [address = '', module = '', name = ''] = type.slice(0, type.length - generics.length).split('::')
        // A name without its instantiation is of any.
        return begins([address, module, parts[2]?.includes('<') ? `${name}${generics}` : name], parts)
      }
    }
    case 'eventStreamHead':
      // No event is committed to a stream here.
      return () => false
    default:
      throw invalid('filter.terms.literals: predicate variant is required')
  }
}

/** Parts of a Move path, the address in full. */
function pathOf(field: string, text: string | undefined, most: number): readonly string[] {
  const [head = ''] = /^[^<]*/.exec(text ?? '') ?? []
  const generics = (text ?? '').slice(head.length)
  const [address, ...rest] = head.split('::')
  if (rest.length >= most || rest.includes('') || (generics !== '' && (most < 3 || rest.length < 2)))
    throw invalid(`filter.terms.literals.${field}: invalid path: ${text}`)
  const names = generics === '' ? rest : [...rest.slice(0, -1), `${rest.at(-1)}${inFull(generics)}`]
  return [isAddress(`filter.terms.literals.${field}`, address), ...names]
}

function begins(whole: readonly string[], parts: readonly string[]): boolean {
  return parts.every((part, index) => whole[index] === part)
}
