import { readFile } from 'node:fs/promises'
import t from 'tap'
import { browserOfAll, lacking } from './support/chromium.ts'
import { CUSTOMER } from './support/log.ts'
import { answer, comeBack, cut, inaccessible, refusal, signIn, visit } from './support/page.ts'
import { listOfPositions } from './support/positions.ts'
import { MONAD } from './support/protocols.ts'
import { service } from './support/service.ts'
import { csvOf, detailOf, type SampleWallet, statementOf, walletOf } from './support/wallet.ts'

const NOW = new Date('2026-11-22T12:14:00.000Z')

t.test('statements in a browser', { skip: lacking }, async (t) => {
  const [browser, { dashboard }] = await Promise.all([browserOfAll(), service(t)])

  await t.test('add up in the page, are saved as they were shown, and are not given where they do not', (t) =>
    visit(
      t,
      browser,
      async (page) => {
        const world: { wallet: SampleWallet; hidden?: string; asked: string[]; away?: true } = {
          wallet: walletOf({ now: NOW, days: 80, troubled: false }),
          asked: [],
        }
        await page.clock.setFixedTime(NOW)
        await answer(page, 'session', { body: CUSTOMER })
        await answer(page, 'protocols?*', { body: [MONAD] })
        await answer(page, 'positions?*', ({ searchParams }) => ({ body: listOfPositions([world.wallet.detail], searchParams) }))
        await answer(page, 'positions/**', ({ searchParams }) => ({ body: detailOf(world.wallet, searchParams) }))
        await page.route('**/api/v1/statements?*', async (route) => {
          const { searchParams, search } = new URL(route.request().url())
          world.asked.push(search)
          const wallet = { ...world.wallet, entries: world.wallet.entries.filter(({ kind }) => kind !== world.hidden) }
          if (world.away) return route.fulfill({ status: 503, json: refusal(503, 'DATABASE_UNAVAILABLE', 'The database is away.').body })
          if (searchParams.get('format') === 'csv') return route.fulfill({ contentType: 'text/csv', body: csvOf(wallet, searchParams) })
          return route.fulfill({ json: statementOf(wallet, searchParams) })
        })
        await signIn(page, `${dashboard}session`, 'token')
        await page.keyboard.press('g')
        await page.keyboard.press('m')
        await page.getByRole('heading', { name: 'Choose a wallet' }).waitFor()
        t.same(await inaccessible(page), [])
        await page.getByLabel('Wallet', { exact: true }).selectOption({ index: 1 })
        await page.getByRole('heading', { name: 'November 2026, so far' }).waitFor()
        await page.getByRole('status').getByText('Adds up in every part: opening + entries − closing = 0.').waitFor()
        await page.keyboard.press('[')
        await page.getByRole('heading', { name: 'October 2026', exact: true }).waitFor()
        t.match(page.url(), /period=2026-10/)
        await page.getByText('31 of 31 days read').waitFor()
        const table = page.getByRole('table').first()
        await table.getByRole('row', { name: /^Deposit 1 \+60,000/ }).waitFor()
        await table.getByRole('row', { name: /^Slash 0/ }).waitFor()
        await page
          .getByText('3 entries within the position cancel out above. 2 entries that were taken back, or take back, are in no row.')
          .waitFor()
        t.equal(await page.getByRole('table').nth(1).getByText('yes').count(), 4, 'each part adds up')
        t.same(await inaccessible(page), [])
        t.same(await cut(page), [])

        await page.getByRole('group', { name: 'Form' }).getByRole('button', { name: 'Koinly' }).click()
        await page.getByText('its rows are those of the statement, and so is their sum').waitFor()
        await page.getByText(/^31 rows, \d+ kB$/).waitFor()
        await page.getByRole('button', { name: 'is claimed' }).click()
        await page.getByText(/^1 row, \d+ kB$/).waitFor()
        t.match(page.url(), /layout=koinly&recognise=claim/)
        const download = page.waitForEvent('download')
        await page.getByRole('button', { name: 'Download CSV' }).click()
        const saved = await download
        t.equal(saved.suggestedFilename(), `statement-${world.wallet.detail.address}-2026-10-koinly.csv`)
        const query = new URLSearchParams(world.asked.at(-1))
        t.equal(await readFile(await saved.path(), 'utf8'), csvOf(world.wallet, query), 'byte by byte')

        world.hidden = 'deposit'
        await page.keyboard.press(']')
        await page.keyboard.press('[')
        await page.getByRole('alert').getByText('Does not add up in pending: opening + entries − closing = -60000.').waitFor()
        await page.getByText('No file is given of what does not add up.').waitFor()
        t.equal(await page.getByRole('button', { name: 'Download CSV' }).count(), 0)
        t.same(await inaccessible(page), [])
        delete world.hidden
        await page.getByRole('button', { name: 'Read again' }).click()
        await page.getByRole('button', { name: 'Download CSV' }).waitFor()

        world.wallet = walletOf({ now: NOW, days: 80 })
        await page.keyboard.press(']')
        await page.getByRole('alert').getByText('0.000418310774520116 MON has no explanation').waitFor()
        await page.getByRole('button', { name: 'Download CSV' }).waitFor()
        await answer(page, 'session', {
          body: {
            ...CUSTOMER,
            kind: 'operator',
            account: null,
            accounts: [...CUSTOMER.accounts, { ...CUSTOMER.accounts[0], id: 'globex' }],
          },
        })
        await page.goto(`${dashboard}statements?protocol=evm-three&network=143&wallet=${world.wallet.detail.address}&period=2026-10`)
        await page.getByLabel('Token', { exact: true }).fill('token')
        world.asked = []
        await page.keyboard.press('Enter')
        await page.getByText('its rows are those of the statement').waitFor()
        t.same(
          world.asked.map((search) => new URLSearchParams(search).get('account')),
          ['acme', 'acme'],
          'entries and file are of the account whose days were read',
        )
        world.away = true
        await comeBack(page)
        await page.getByRole('heading', { name: 'The service failed' }).waitFor()
        t.equal(await page.getByRole('table').count(), 0, 'no number at all rather than an old one')
      },
      { acceptDownloads: true },
    ),
  )

  await t.test('begin where the book begins, and are whole on a phone', (t) =>
    visit(t, browser, async (page) => {
      const wallet = walletOf({ now: NOW, days: 40, troubled: false })
      await page.clock.setFixedTime(NOW)
      await answer(page, 'session', { body: CUSTOMER })
      await answer(page, 'protocols?*', { body: [MONAD] })
      await answer(page, 'positions?*', ({ searchParams }) => ({ body: listOfPositions([wallet.detail], searchParams) }))
      await answer(page, 'positions/**', ({ searchParams }) => ({ body: detailOf(wallet, searchParams) }))
      await page.route('**/api/v1/statements?*', (route) => {
        const { searchParams } = new URL(route.request().url())
        if (searchParams.get('format') === 'csv') return route.fulfill({ contentType: 'text/csv', body: csvOf(wallet, searchParams) })
        return route.fulfill({ json: statementOf(wallet, searchParams) })
      })
      const { address } = wallet.detail
      await signIn(page, `${dashboard}positions/evm-three/143/${address}/acme`, 'token')
      await page.getByText(/^40 days: from/).waitFor()
      await page.keyboard.press('s')
      await page.getByRole('heading', { name: 'November 2026, so far' }).waitFor()
      t.match(page.url(), new RegExp(`statements\\?account=acme&protocol=evm-three&network=143&wallet=${address}$`))
      await page.keyboard.press('[')
      await page.getByText('The book begins on 14 Oct 2026, within this period').waitFor()
      await page.getByRole('status').getByText('Adds up in every part').waitFor()
      await page.getByText('17 of 17 days read').waitFor()
      await page.keyboard.press('[')
      await page.getByRole('heading', { name: 'The book begins later' }).waitFor()
      await page.getByRole('button', { name: 'Later period' }).click()
      for (const width of [1180, 760, 390, 320]) {
        await page.setViewportSize({ width, height: 844 })
        t.same(await cut(page), [], `at ${width} px`)
      }
      t.same(await inaccessible(page), [])
    }),
  )
})
