import { GrpcTypes } from '@mysten/sui/grpc'
import { invalid } from '../errors.ts'
import type { Owner } from '../objects.ts'
import type { ExecutedTransaction } from '../tx/executed.ts'
import { compare } from './event-cursor.ts'
import { framesOf, intervalOf, limitOf } from './events.ts'
import { isAddress } from './identifiers.ts'
import { project, readMask } from './mask.ts'
import type { StreamHandler } from './method.ts'
import { executedMessage } from './transactions.ts'

/** Mask that is taken when none is given. */
const defaultMask = 'digest'

/**
 * Answers `ListTransactions` for filters by the sender, and by an address whose objects or balance a transaction has moved.
 *
 * @see MystenLabs/sui-apis proto/sui/rpc/v2/ledger_service.proto, filter.proto (read 2026-11-29)
 */
export const listTransactions: StreamHandler<GrpcTypes.ListTransactionsRequest> = (node, request) => {
  const mask = readMask(GrpcTypes.ExecutedTransaction, request.readMask?.paths, defaultMask)
  const limit = limitOf(request)
  const matches = request.filter === undefined ? () => true : matcherOf(request.filter)
  const interval = intervalOf(node, request)
  const { low, high, descending } = interval
  const items = [...node.executed.values()]
    .map((executed) => ({ at: { checkpoint: executed.checkpoint, index: 0 }, of: executed }))
    .filter(({ at, of }) => compare(at, low) >= 0 && compare(at, high) < 0 && matches(of))
    .sort((a, b) => (descending ? compare(b.at, a.at) : compare(a.at, b.at)))
  return framesOf(node, interval, items, limit, ({ of }) => ({
    transaction: project(GrpcTypes.ExecutedTransaction, executedMessage(of, 'all'), mask),
  }))
}

type Matcher = (executed: ExecutedTransaction) => boolean

/** @throws GrpcError `INVALID_ARGUMENT` */
function matcherOf({ terms }: GrpcTypes.TransactionFilter): Matcher {
  if (terms.length === 0) throw invalid('filter.terms: at least one filter term is required')
  const matchers = terms.map((term) => term.literals.map(literal))
  return (executed) => matchers.some((all) => all.every((each) => each(executed)))
}

function literal({ negated, predicate }: GrpcTypes.TransactionLiteral): Matcher {
  const matches = predicateOf(predicate)
  return (executed) => matches(executed) !== negated
}

function predicateOf(predicate: GrpcTypes.TransactionLiteral['predicate']): Matcher {
  switch (predicate.oneofKind) {
    case 'sender': {
      const address = isAddress('filter.terms.literals.sender.address', predicate.sender.address)
      return ({ data }) => data.sender === address
    }
    case 'affectedAddress': {
      const address = isAddress('filter.terms.literals.affected_address.address', predicate.affectedAddress.address)
      return ({ effects: { changes, funds } }) =>
        changes.some(({ before, after }) => isOwner(before?.owner, address) || isOwner(after?.owner, address)) ||
        funds.some((change) => change.address === address)
    }
    case undefined:
      throw invalid('filter.terms.literals: predicate variant is required')
    default:
      throw invalid(`filter.terms.literals: the sandbox does not model ${predicate.oneofKind}`)
  }
}

function isOwner(owner: Owner | undefined, address: string): boolean {
  return (owner?.kind === 'address' || owner?.kind === 'consensus') && owner.address === address
}
