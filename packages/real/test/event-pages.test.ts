import t from 'tap'
import { type EventPage, readEvents } from '../src/event-pages.ts'

const event = (sequence: number) => ({ type: 'transaction.final', sequence, body: JSON.stringify({ data: { sequence } }) })

t.test('all pages of events are read, each once, by the parameter that the API has for it', async (t) => {
  const asked: string[] = []
  const pages: EventPage[] = [
    { events: [event(9), event(7)], next: '7' },
    { events: [event(3)], next: null },
  ]
  const events = await readEvents(async (query) => {
    asked.push(query)
    return pages[asked.length - 1] ?? { events: [], next: null }
  })
  t.same(asked, ['limit=100', 'limit=100&before=7'])
  t.same(
    events.map(({ data }) => data.sequence),
    [9, 7, 3],
  )
})

t.test('a page that comes again ends the reading', async (t) => {
  let pages = 0
  const same = async () => {
    if (++pages > 3) throw new Error('it was asked for ever')
    return { events: [event(9)], next: '9' }
  }
  await t.rejects(readEvents(same), /Event 9 was answered after event 9/)
  t.equal(pages, 2)
})
