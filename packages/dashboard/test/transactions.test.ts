import t from 'tap'
import type { FollowedTransaction, TransactionDetail } from '../src/api/transactions.ts'
import { browserOfAll, lacking } from './support/chromium.ts'
import { CUSTOMER } from './support/log.ts'
import { type Answer, answer, comeBack, cut, inaccessible, refusal, signIn, visit } from './support/page.ts'
import { MONAD } from './support/protocols.ts'
import { service } from './support/service.ts'
import { detailed, followed, pageOfTransactions } from './support/transactions.ts'

const NOW = new Date()
const before = (seconds: number) => new Date(NOW.getTime() - seconds * 1000)
const MISSING = refusal(404, 'TRANSACTION_NOT_FOLLOWED', 'No transaction with that hash is followed.')
const DIFFERENCES = [{ kind: 'staked', asset: 'native', promised: '100000000000000000001', moved: '99000000000000000000' }] as const

t.test('transactions in a browser', { skip: lacking }, async (t) => {
  const [browser, { dashboard, customer, operator }] = await Promise.all([browserOfAll(), service(t)])

  await t.test('are found by keyboard alone, and say what was promised and what moved', (t) =>
    visit(t, browser, async (page) => {
      const states = ['final', 'pending', 'failed', 'replaced', 'expired', 'included', 'unknown'] as const
      const rows = states.map((status, place) => followed(place, before(place * 60), status))
      const [final, pending, failed, replaced] = rows as [
        FollowedTransaction,
        FollowedTransaction,
        FollowedTransaction,
        FollowedTransaction,
      ]
      const less = followed(20, before(2000), 'final', { differences: DIFFERENCES, account: 'acme' })
      const all = [...rows, less]
      await answer(page, 'session', { body: CUSTOMER })
      await answer(page, 'protocols?*', { body: [MONAD] })
      await answer(page, 'transactions?*', ({ searchParams }) => ({ body: pageOfTransactions(all, searchParams) }))
      await answer(page, 'transactions/**', ({ pathname }) => {
        const row = all.find(({ tx_hash }) => pathname.endsWith(tx_hash))
        if (!row) return MISSING
        return { body: detailed(row, row.status === 'final' ? [{ status: 'included' }, { status: 'final' }] : [{ status: row.status }]) }
      })
      await signIn(page, `${dashboard}session`, 'token')
      await page.keyboard.press('g')
      await page.keyboard.press('t')
      const grid = page.getByRole('grid', { name: 'Transactions' })
      await grid.getByText('Amounts differ').waitFor()
      await page.getByText('8 in all').waitFor()
      t.same(await inaccessible(page), [])
      t.same(await cut(page), [])
      await grid.focus()
      await page.keyboard.press('j')
      await page.keyboard.press('k')
      await page.keyboard.press('Enter')
      const panel = page.getByRole('region', { name: 'Transaction' })
      const timeline = panel.getByRole('list', { name: 'Timeline' })
      await timeline.getByText('Final', { exact: true }).waitFor()
      t.match(page.url(), new RegExp(`/transactions/${final.tx_hash}/evm-three/acme$`), 'a transaction has an address')
      t.equal(await timeline.getByRole('listitem').count(), 5)
      t.equal(await panel.getByText('as promised').count(), 2)
      await panel
        .getByText(/^100\.000000000000000001.MON$/)
        .first()
        .waitFor()
      await panel.getByText(/^0\.002104250000000001.MON$/).waitFor()
      await panel.getByText('another transaction uses nonce 0').waitFor()
      t.same(await inaccessible(page), [])
      t.equal(
        await timeline.getByRole('link', { name: 'Crafted: its record in Activity' }).getAttribute('href'),
        `${dashboard}activity/${detailed(final, []).steps[0]?.request_id}?period=all`,
      )

      await page.keyboard.press('j')
      await panel.getByText('It can still land. Sign nothing in its place.').waitFor()
      t.match(page.url(), pending.tx_hash)
      await page.keyboard.press('j')
      await panel.getByText('The delegation is below the least amount.').waitFor()
      t.match(page.url(), failed.tx_hash)
      t.equal(await panel.getByText('promised, and not moved').count(), 2)
      await page.keyboard.press('j')
      await panel.getByText('Another transaction used what it needs.').waitFor()
      await panel.getByText('It does the very same: sign no other one, unless it failed.').waitFor()
      t.same(await inaccessible(page), [])
      await panel.getByRole('link', { name: 'Look at it' }).click()
      await panel.getByText('No transaction with that hash is followed.').waitFor()
      t.match(page.url(), replaced.replaced_by ?? '')
      await page.keyboard.press('Escape')
      await grid.getByText('Amounts differ').click()
      await panel.getByRole('alert').getByText('The chain moved something else than the bytes promised').waitFor()
      await panel.getByText(/^99.MON$/).waitFor()
      t.same(await inaccessible(page), [])
      await page.keyboard.press('Escape')

      await page.getByLabel('State', { exact: true }).selectOption('open')
      await page.getByText('3 in all').waitFor()
      await page.getByLabel('Network', { exact: true }).selectOption({ label: 'Monad testnet (10143)' })
      await page.getByText('Nothing matches').waitFor()
      t.match(page.url(), /\?status=open&network=10143$/, 'a view can be shared')
      t.same(await inaccessible(page), [])
      await page.getByRole('button', { name: 'Clear the filters' }).click()
      await page.keyboard.press('/')
      await page.keyboard.type(less.request_id)
      await page.getByText('1 in all').waitFor()
      await grid.getByText('Amounts differ').click()
      await page.getByRole('button', { name: `Show only wallet ${less.wallet}` }).click()
      await page.getByRole('button', { name: `Take away Wallet ${less.wallet}` }).click()
      await page.waitForURL((url) => !url.searchParams.has('wallet'))
    }),
  )

  await t.test('are followed until they stay, and what cannot be read is said', (t) =>
    visit(t, browser, async (page) => {
      await page.clock.install()
      const seen = before(3)
      const world: { detail: TransactionDetail; answer?: Answer; asked: number } = {
        detail: detailed(followed(1, seen, 'pending'), [{ status: 'pending' }]),
        asked: 0,
      }
      await answer(page, 'session', { body: CUSTOMER })
      await answer(page, 'protocols?*', { body: [MONAD] })
      await answer(page, 'transactions?*', () => world.answer ?? { body: { transactions: [world.detail], next: null } })
      await answer(page, 'transactions/**', () => {
        world.asked += 1
        return world.answer ?? { body: world.detail }
      })
      const { tx_hash: hash } = world.detail
      await signIn(page, `${dashboard}transactions/${hash}`, 'token')
      const panel = page.getByRole('region', { name: 'Transaction' })
      await panel.getByText('It can still land.').waitFor()
      t.equal(await panel.getByText('Not yet').count(), 2, 'what is to come stands there')
      world.detail = detailed(followed(1, seen, 'included'), [{ status: 'pending' }, { status: 'included' }])
      await page.clock.runFor(31_000)
      await panel.getByText('which may still be replaced by another one').waitFor()
      await page.getByRole('row').filter({ hasText: 'Included' }).waitFor()
      world.answer = refusal(503, 'DATABASE_UNAVAILABLE', 'The database is away.')
      await page.clock.runFor(31_000)
      await panel.getByText('The database is away. What is shown was read').waitFor()
      t.same(await inaccessible(page), [])
      delete world.answer
      world.detail = detailed(followed(1, seen, 'final'), [{ status: 'pending' }, { status: 'included' }, { status: 'final' }])
      await page.clock.runFor(31_000)
      await panel.getByText('It is in a block that stays.').waitFor()
      const { asked } = world
      await page.clock.runFor(120_000)
      t.equal(world.asked, asked, 'what has ended is not asked for again')

      world.answer = refusal(503, 'DATABASE_UNAVAILABLE', 'The database is away.')
      await page.keyboard.press('Escape')
      await page.getByLabel('State', { exact: true }).selectOption('final')
      await page.getByRole('heading', { name: 'The service failed' }).waitFor()
      t.same(await inaccessible(page), [])
      delete world.answer
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('row').filter({ hasText: 'Final' }).waitFor()
      world.answer = refusal(401, 'TOKEN_INVALID', 'The management token is not accepted.')
      await comeBack(page)
      await page.getByLabel('State', { exact: true }).selectOption('open')
      const again = page.getByRole('dialog', { name: 'Sign in again' })
      await again.waitFor()
      delete world.answer
      await page.keyboard.type('token')
      await page.keyboard.press('Enter')
      await again.waitFor({ state: 'detached' })
      t.match(page.url(), /status=open/)
    }),
  )

  await t.test('are nothing to begin with, for either kind of token, and many later', (t) =>
    visit(t, browser, async (page) => {
      await signIn(page, `${dashboard}transactions`, customer)
      await page.getByText('Nothing was sent yet').waitFor()
      t.same(await inaccessible(page), [])
      await signIn(page, `${dashboard}transactions`, operator)
      await page.getByText('Nothing was sent yet').waitFor()
      await page.goto(`${dashboard}transactions/0xbeef`)
      await page.getByLabel('Token', { exact: true }).fill(operator)
      await page.keyboard.press('Enter')
      await page.getByText('No transaction with that hash is followed').waitFor()
      await page.keyboard.press('Escape')

      const rows = Array.from({ length: 1200 }, (_, place) =>
        followed(place, before(place * 41), 'final', { account: place % 2 === 0 ? 'acme' : 'globex' }),
      )
      await answer(page, 'transactions?*', ({ searchParams }) => {
        const account = searchParams.get('account')
        return {
          body: pageOfTransactions(
            rows.filter((row) => account === null || row.account === account),
            searchParams,
          ),
        }
      })
      await answer(page, 'transactions/**', { body: detailed(rows[1] as FollowedTransaction, [{ status: 'final' }]) })
      await page.getByLabel('State', { exact: true }).selectOption('final')
      const grid = page.getByRole('grid', { name: 'Transactions' })
      await page.getByText('the newest 200').waitFor()
      for (let left = 1; left > 0 || (await page.getByText('1,200 in all').count()) === 0; ) {
        left = await grid.evaluate(async (element) => {
          element.scrollTop += 7200
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
          return Math.floor(element.scrollHeight - element.scrollTop - element.clientHeight)
        })
      }
      t.ok((await page.getByRole('row').count()) < 80, 'only what is seen is drawn')
      await page.getByRole('complementary').getByLabel('Account').selectOption('globex')
      await page.getByRole('gridcell', { name: 'globex' }).waitFor({ state: 'detached' })
      await page.setViewportSize({ width: 390, height: 844 })
      t.same(await cut(page), [])
      await page.getByRole('list', { name: 'Transactions' }).getByRole('button').first().click()
      const sheet = page.getByRole('dialog', { name: 'Transaction' })
      await sheet.getByRole('list', { name: 'Timeline' }).waitFor()
      t.same(await cut(page), [])
      t.same(await inaccessible(page), [])
    }),
  )
})
