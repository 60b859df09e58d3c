import t from 'tap'
import { browserOfAll, lacking } from './support/chromium.ts'
import { CUSTOMER } from './support/log.ts'
import { type Answer, answer, comeBack, cut, inaccessible, refusal, signIn, visit } from './support/page.ts'
import { listOfPositions } from './support/positions.ts'
import { MONAD } from './support/protocols.ts'
import { service } from './support/service.ts'
import { detailOf, type SampleWallet, statementOf, walletOf } from './support/wallet.ts'

const NOW = new Date()

t.test('one wallet in a browser', { skip: lacking }, async (t) => {
  const [browser, { dashboard }] = await Promise.all([browserOfAll(), service(t)])

  await t.test('shows its book’s verdict, its days and its entries, by keyboard alone', (t) =>
    visit(t, browser, async (page) => {
      const world: { wallet: SampleWallet; answer?: Answer; asked: string[] } = { wallet: walletOf({ now: NOW, days: 90 }), asked: [] }
      await answer(page, 'session', { body: CUSTOMER })
      await answer(page, 'protocols?*', { body: [MONAD] })
      await answer(page, 'positions?*', ({ searchParams }) => ({ body: listOfPositions([world.wallet.detail], searchParams) }))
      await answer(page, 'positions/**', ({ pathname, search, searchParams }) => {
        world.asked.push(`${pathname}${search}`)
        return world.answer ?? { body: detailOf(world.wallet, searchParams) }
      })
      await answer(page, 'statements?*', ({ searchParams }) => {
        const statement = statementOf(world.wallet, searchParams)
        const other = statement.entries.map((entry) => ({ ...entry, id: `9${entry.id}`, account: 'globex', kind: 'slash' }))
        return world.answer ?? { body: { ...statement, entries: [...statement.entries, ...other] } }
      })
      const { address } = world.wallet.detail
      await signIn(page, `${dashboard}positions`, 'token')
      const list = page.getByRole('grid', { name: 'Positions' })
      await list.getByText('Unexplained').waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: address }).waitFor()
      t.match(page.url(), new RegExp(`/positions/evm-three/143/${address}/acme$`), 'a wallet has an address')
      await page.getByText('has no explanation').waitFor()
      t.match(world.asked.at(-1), /\/evm-three\/143\/0x[0-9a-f]+\?account=acme&days=60$/)
      const figures = page.locator('.figures')
      await figures.getByRole('img', { name: '0.000418310774520116 MON open' }).waitFor()
      await figures.getByText('2 days not read, 56 of 60 days whole').waitFor()
      await figures.getByText(/% of it earns$/).waitFor()
      await page
        .getByText(/^60 days: from [\d,]+ to [\d,]+ MON; most [\d,]+ on .*; 2 days not read; 1 day with something unexplained\.$/)
        .waitFor()
      t.same(await inaccessible(page), [])
      t.same(await cut(page), [])

      const history = page.getByRole('group', { name: /^Balance and rewards by day/ })
      await history.focus()
      await page.keyboard.press('ArrowLeft')
      const status = page.getByRole('status').filter({ hasText: 'earning' })
      const today = await status.textContent()
      t.match(today, /: earning [\d.]+, activating 0, leaving 14000, unclaimed [\d.]+, rewards not known$/)
      await page.keyboard.press('ArrowLeft')
      await status.filter({ hasText: /rewards \d+\.\d+$/ }).waitFor()
      await history.blur()
      await page.keyboard.press('t')
      const days = page.getByRole('grid', { name: 'Days' })
      await days.getByText('Adds up').first().waitFor()
      t.equal(await days.getAttribute('aria-rowcount'), '61')
      t.same(await inaccessible(page), [])
      await page.keyboard.press('t')
      await history.waitFor()

      const operations = page.getByRole('grid', { name: 'Operations' })
      await operations.getByText('leaving 4').waitFor()
      t.equal(await page.getByRole('button', { name: /slash/ }).count(), 0, 'another account’s book of the wallet is not this one')
      await operations.getByText('nothing known → earning: units came or went, and nothing says why').waitFor()
      await page.getByRole('button', { name: 'Show the entries' }).click()
      t.equal(await operations.getByRole('row').count(), 2)
      await page.getByRole('button', { name: '1 unexplained' }).click()
      await page.getByRole('button', { name: '2 days not read' }).click()
      await operations.getByText('2 days').waitFor()
      await page.getByRole('button', { name: '2 days not read' }).click()
      await page.getByRole('button', { name: /flows$/ }).click()
      await operations.getByText('Withdrawal').waitFor()
      t.ok(await operations.getByText('−36,000').count(), 'what leaves the position has a sign')
      t.equal(await operations.locator('.loss').count(), 0, 'and is no loss')

      await page.getByRole('group', { name: 'Days' }).getByRole('button', { name: '1 y' }).click()
      await page.getByText(/^90 days: from/).waitFor()
      t.match(page.url(), /days=366/)
      world.answer = refusal(503, 'DATABASE_UNAVAILABLE', 'The database is away.')
      await comeBack(page)
      await page.getByRole('alert').getByText('The database is away. What is shown was read').waitFor()
      await page.getByText(/^90 days: from/).waitFor()
      t.same(await inaccessible(page), [])
    }),
  )

  await t.test('says what it does not know, and what is not there', (t) =>
    visit(t, browser, async (page) => {
      const young = walletOf({ now: NOW, days: 1, troubled: false })
      const unread = {
        ...young.detail,
        read_at: null,
        staked: null,
        earned_30d: null,
        rate_percent: null,
        next_due: null,
        book: null,
        days: [],
      }
      const world: { answer: Answer } = { answer: { body: unread } }
      await answer(page, 'session', { body: CUSTOMER })
      await answer(page, 'protocols?*', { body: [MONAD] })
      await answer(page, 'positions/**', () => world.answer)
      await answer(page, 'statements?*', { body: { entries: [], complete: true, next: null } })
      await signIn(page, `${dashboard}positions/evm-three/143/${young.detail.address}`, 'token')
      await page.getByText('Nothing was read of this wallet yet').waitFor()
      await page.getByText('No book yet', { exact: true }).waitFor()
      await page.getByText('Nothing moved in this time.').waitFor()
      t.same(await inaccessible(page), [])
      world.answer = { body: young.detail }
      await comeBack(page)
      await page.getByText('Two days that were read make a history').waitFor()
      await page.locator('.figures').getByText('Adds up').waitFor()
      world.answer = refusal(404, 'POSITION_NOT_WATCHED', 'No account watches that wallet.')
      await page.goto(`${dashboard}positions/evm-three/143/0xbeef`)
      await page.getByLabel('Token', { exact: true }).fill('token')
      await page.keyboard.press('Enter')
      await page.getByText('No account watches that wallet.').waitFor()
      t.same(await inaccessible(page), [])
    }),
  )

  await t.test('is whole on a phone and at every width', (t) =>
    visit(t, browser, async (page) => {
      const wallet = walletOf({ now: NOW })
      await answer(page, 'session', { body: CUSTOMER })
      await answer(page, 'protocols?*', { body: [MONAD] })
      await answer(page, 'positions/**', ({ searchParams }) => ({ body: detailOf(wallet, searchParams) }))
      await answer(page, 'statements?*', ({ searchParams }) => ({ body: statementOf(wallet, searchParams) }))
      await signIn(page, `${dashboard}positions/evm-three/143/${wallet.detail.address}`, 'token')
      await page.getByText(/^60 days: from/).waitFor()
      for (const width of [1200, 1024, 760, 390, 320]) {
        await page.setViewportSize({ width, height: 844 })
        await page.getByText(/^60 days: from/).waitFor()
        t.same(await cut(page), [], `at ${width} px`)
        const beyond = await page.evaluate(() => {
          const area = document.querySelector('.history .area')?.getBoundingClientRect()
          const svg = document.querySelector('.history svg')?.getBoundingClientRect()
          return Math.round((svg?.width ?? 0) - (area?.width ?? 0))
        })
        t.equal(beyond, 0, `the drawing is as wide as its place at ${width} px`)
      }
      await page.getByRole('list', { name: 'Operations' }).getByText('Withdrawal').waitFor()
      t.same(await inaccessible(page), [])
      await page.getByRole('button', { name: 'Show as table' }).click()
      await page.getByRole('list', { name: 'Days' }).getByText('Adds up').first().waitFor()
      t.same(await cut(page), [])
    }),
  )
})
