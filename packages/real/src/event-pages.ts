/** One of an account's events. */
export interface SeenEvent {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A page of events as the API answers it, newest first. */
export interface EventPage {
  readonly events: readonly { readonly type: string; readonly sequence: number; readonly body: string }[]
  /** `before` of the next page; null on the last one. */
  readonly next: string | null
}

/**
 * Reads all events of an account, page by page.
 *
 * @param ask answers the query of a page
 * @throws Error where a page is not older than the one before it: without that, a parameter that the service does not read would be asked for ever
 */
export async function readEvents(ask: (query: string) => Promise<EventPage>): Promise<readonly SeenEvent[]> {
  const records: SeenEvent[] = []
  let lowest = Number.POSITIVE_INFINITY
  for (let before = ''; ; ) {
    const { events, next } = await ask(`limit=100${before}`)
    for (const { type, sequence, body } of events) {
      if (sequence >= lowest)
        throw new Error(`Event ${sequence} was answered after event ${lowest}; a page must be older than the one before it.`)
      lowest = sequence
      records.push({ type, data: (JSON.parse(body) as Pick<SeenEvent, 'data'>).data })
    }
    if (next === null) return records
    before = `&before=${encodeURIComponent(next)}`
  }
}
