import type { ExitClaim, ExitRequest, VaultEvent } from './logs.ts'

/** Returns the events that are still open: all checkpoints, and each request as its claims left it, without those that were claimed in full. */
export function withoutClaimed(events: readonly VaultEvent[]): readonly VaultEvent[] {
  const open = new Map<string, ExitRequest>()
  const checkpoints: VaultEvent[] = []
  for (const event of events) {
    if (event.kind === 'checkpoint') checkpoints.push(event)
    else if (event.kind === 'request') open.set(`${event.receiver} ${event.ticket}`, event)
    else {
      const claimed = `${event.receiver} ${event.ticket}`
      const request = open.get(claimed)
      open.delete(claimed)
      const rest = request && event.newTicket !== 0n ? restOf(request, event) : null
      if (rest) open.set(`${event.receiver} ${event.newTicket}`, rest)
    }
  }
  return [...checkpoints, ...open.values()]
}

/** Returns what a claim leaves of a request; null when that cannot be. */
function restOf(request: ExitRequest, { ticket, newTicket, assets }: ExitClaim): ExitRequest | null {
  if (request.fixedAssets !== null)
    return { ...request, ticket: newTicket, fixedAssets: request.fixedAssets > assets ? request.fixedAssets - assets : 0n }
  const tickets = request.tickets - (newTicket - ticket)
  return tickets > 0n ? { ...request, ticket: newTicket, tickets } : null
}
