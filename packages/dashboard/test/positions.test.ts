import t from 'tap'
import type { Position } from '../src/api/positions.ts'
import { browserOfAll, lacking } from './support/chromium.ts'
import { CUSTOMER } from './support/log.ts'
import { type Answer, answer, comeBack, cut, inaccessible, refusal, signIn, visit } from './support/page.ts'
import { listOfPositions, position } from './support/positions.ts'
import { MONAD } from './support/protocols.ts'
import { service } from './support/service.ts'

const NOW = new Date()
const COSMOS = { protocol: 'hub-one', network: 'cosmos:cosmoshub-4', network_id: 'cosmoshub-4', symbol: 'ATOM' } as const

/** One of each state, two that can be withdrawn, and one of another token that was slashed. */
const ROWS: readonly Position[] = [
  position(1, NOW, 'earning'),
  position(2, NOW, 'unexplained'),
  position(3, NOW, 'unread'),
  position(4, NOW, 'stale'),
  position(5, NOW, 'withdrawable'),
  position(6, NOW, 'withdrawable'),
  position(7, NOW, 'leaving'),
  position(8, NOW, 'activating'),
  position(9, NOW, 'empty'),
  position(10, NOW, 'earning', {
    ...COSMOS,
    address: 'cosmos1q8wdhf5yjszxsn2tl4mlqkvv2lq30v8hw8fll',
    staked: '231.417201',
    earned_30d: '-0.11574',
    rate_percent: '-0.618301',
    slashed_30d: true,
  }),
]

t.test('positions in a browser', { skip: lacking }, async (t) => {
  const [browser, { dashboard }] = await Promise.all([browserOfAll(), service(t)])

  await t.test('stand worst first, are found by filters that count, and say every digit', (t) =>
    visit(t, browser, async (page) => {
      const asked: URLSearchParams[] = []
      await answer(page, 'session', { body: CUSTOMER })
      await answer(page, 'protocols?*', { body: [MONAD] })
      await answer(page, 'positions?*', ({ searchParams }) => {
        asked.push(searchParams)
        return { body: listOfPositions(ROWS, searchParams) }
      })
      await signIn(page, `${dashboard}session`, 'token')
      await page.keyboard.press('g')
      await page.keyboard.press('b')
      const grid = page.getByRole('grid', { name: 'Positions' })
      await grid.getByText('Unexplained').waitFor()
      await page.getByText('10 wallets', { exact: true }).waitFor()
      t.match(page.url(), /\/positions$/)
      const states = await grid.getByRole('row').locator('.cell:last-child').allTextContents()
      t.same(
        states.slice(1).map((text) => text.replace(/ \d+ hours.*/, '')),
        [
          'Unexplained',
          'Not read yet',
          'Read',
          'Withdrawable',
          'Withdrawable',
          'Leaving',
          'Activating',
          'Earning',
          'Slashed, 30 d',
          'Empty',
        ],
      )
      t.same(await inaccessible(page), [])
      t.same(await cut(page), [])
      await grid.getByRole('img', { name: '37742.114518310774520116 MON', exact: true }).waitFor()
      await grid.getByRole('img', { name: '-0.11574', exact: true }).getByText('−0.1157').waitFor()
      await grid.getByText('−0.61 %').waitFor()
      await grid.getByRole('row').filter({ hasText: 'Leaves in 11 days' }).waitFor()
      t.equal(await grid.getByText('now').count(), 2, 'what can be withdrawn can be so now')
      const points = await grid
        .locator('.figure')
        .evaluateAll((figures) =>
          figures
            .filter((figure) => figure.textContent?.includes('MON') && figure.textContent.includes('.'))
            .map((figure) => figure.querySelector('.dots')?.getBoundingClientRect().right),
        )
      t.equal(new Set(points).size, 1, 'amounts stand in line')

      const totals = page.getByRole('list', { name: 'Staked, by token' })
      await totals.getByText('at least: 1 wallet has no figures').waitFor()
      await totals.getByRole('button', { name: /^ATOM/ }).click()
      await page.locator('.meta').getByText('1 wallet', { exact: true }).waitFor()
      t.match(page.url(), /network=cosmoshub-4/)
      t.equal(await totals.getByRole('button', { name: /^ATOM/ }).getAttribute('aria-pressed'), 'true')
      await totals.getByRole('button', { name: /^ATOM/ }).click()
      await page.getByText('10 wallets', { exact: true }).waitFor()

      const tags = page.getByRole('group', { name: 'By state' })
      await tags.getByRole('button', { name: '2 withdrawable' }).click()
      await page.getByText('2 of 10 wallets').waitFor()
      t.equal(await grid.getByRole('row').count(), 3)
      t.equal(await tags.getByRole('button').count(), 6, 'the others can still be gone to')
      await tags.getByRole('button', { name: '1 unexplained' }).click()
      await page.getByText('1 of 10 wallets').waitFor()
      await tags.getByRole('button', { name: '1 unexplained' }).click()
      await page.getByLabel('Network', { exact: true }).selectOption({ label: 'Monad testnet (10143)' })
      await page.getByText('Nothing matches').waitFor()
      t.same(await inaccessible(page), [])
      await page.getByRole('button', { name: 'Clear the filters' }).click()
      await page.keyboard.press('/')
      await page.keyboard.type('q8wdh')
      await page.locator('.meta').getByText('1 wallet', { exact: true }).waitFor()
      t.equal(asked.at(-1)?.get('wallet'), 'q8wdh', 'a part of an address finds it')
      t.equal(await page.getByText('paste more of it').count(), 0)
      await page.keyboard.press('Escape')
      await page.getByText('10 wallets', { exact: true }).waitFor()
    }),
  )

  await t.test('are read again in place, keep what they show when that fails, and are read to the end', (t) =>
    visit(t, browser, async (page) => {
      await page.clock.install()
      const many = Array.from({ length: 430 }, (_, place) => position(place, NOW, place === 300 ? 'leaving' : 'earning'))
      const world: { rows: readonly Position[]; answer?: Answer } = { rows: many }
      await answer(page, 'session', { body: CUSTOMER })
      await answer(page, 'protocols?*', { body: [MONAD] })
      await answer(page, 'positions?*', ({ searchParams }) => world.answer ?? { body: listOfPositions(world.rows, searchParams) })
      await signIn(page, `${dashboard}positions`, 'token')
      const grid = page.getByRole('grid', { name: 'Positions' })
      await grid.getByText('Leaving').waitFor()
      for (let left = 1; left > 0 || (await grid.getAttribute('aria-rowcount')) !== '431'; ) {
        left = await grid.evaluate(async (element) => {
          element.scrollTop += 7200
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
          return Math.floor(element.scrollHeight - element.scrollTop - element.clientHeight)
        })
      }
      t.ok((await grid.getByRole('row').count()) < 80, 'only what is seen is drawn')
      world.rows = many.map((row, place) => (place === 5 ? position(5, NOW, 'unexplained') : row))
      await page.clock.runFor(31_000)
      await page.getByRole('button', { name: '1 unexplained' }).waitFor()
      t.equal(await grid.getAttribute('aria-rowcount'), '431', 'no row is lost or there twice')
      world.answer = refusal(503, 'DATABASE_UNAVAILABLE', 'The database is away.')
      await page.clock.runFor(31_000)
      await page.getByRole('alert').getByText('The database is away. What is shown was read').waitFor()
      t.same(await inaccessible(page), [])
      await page.getByRole('button', { name: '1 leaving' }).click()
      await page.locator('.positions.behind').waitFor()
      await page.getByRole('alert').getByText('The database is away. What is shown was read').waitFor()
      delete world.answer
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('1 of 430 wallets').waitFor()
      t.equal(await page.getByRole('alert').count(), 0)
      world.answer = refusal(401, 'TOKEN_INVALID', 'The management token is not accepted.')
      await comeBack(page)
      await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    }),
  )

  await t.test('are nothing to begin with, and on a phone say the same in few lines', (t) =>
    visit(t, browser, async (page) => {
      const world: { rows: readonly Position[] } = { rows: [] }
      await answer(page, 'session', { body: CUSTOMER })
      await answer(page, 'protocols?*', { body: [MONAD] })
      await answer(page, 'positions?*', ({ searchParams }) => ({ body: listOfPositions(world.rows, searchParams) }))
      await signIn(page, `${dashboard}positions`, 'token')
      await page.getByText('No wallet is watched yet').waitFor()
      await page.getByText('/api/v1/watch/<protocol>/<address>').waitFor()
      t.same(await inaccessible(page), [])
      world.rows = ROWS
      await comeBack(page)
      await page.getByText('10 wallets', { exact: true }).waitFor()
      for (const width of [1280, 1201, 1100, 1041, 960, 870, 760]) {
        await page.setViewportSize({ width, height: 844 })
        t.same(await cut(page), [], `at ${width} px`)
        // No column is squeezed away: what has no room is left out.
        await page.waitForFunction(() => [...document.querySelectorAll('.grid .head .cell')].every(({ clientWidth }) => clientWidth >= 60))
      }
      await page.setViewportSize({ width: 390, height: 844 })
      const list = page.getByRole('list', { name: 'Positions' })
      const item = list.getByRole('listitem').filter({ hasText: 'cosmos1q8w…8fll' })
      await item.getByText('Slashed, 30 d').waitFor()
      await item.getByText('−0.61 %').waitFor()
      t.same(await cut(page), [])
      t.same(await inaccessible(page), [])
      await page.getByRole('button', { name: 'Filters' }).click()
      await page.getByLabel('State', { exact: true }).selectOption('stale')
      await page.getByText('1 of 10 wallets').waitFor()
    }),
  )
})
