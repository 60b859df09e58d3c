import { readFile } from 'node:fs/promises'
import t from 'tap'
import { browserOfAll, lacking } from './support/chromium.ts'
import { serveLog } from './support/log.ts'
import { cut, inaccessible, refusal, signIn, visit } from './support/page.ts'
import { startSandbox } from './support/real.ts'
import { sample, samples } from './support/records.ts'
import { service } from './support/service.ts'
import { longestTask, TASKS } from './support/trace.ts'

const NOW = new Date()
/** Longer than any frame of a scroll takes on a busy machine, and far from what drawing every row would. */
const STALL_MS = 120

t.test('activity in a browser', { skip: lacking }, async (t) => {
  const sandbox = startSandbox(t)
  const [browser, { dashboard }] = await Promise.all([browserOfAll(), service(t)])

  await t.test('finds a transaction by keyboard alone, and says all that is known of it', (t) =>
    visit(t, browser, async (page) => {
      await serveLog(page, { records: samples(300, NOW) })
      await signIn(page, `${dashboard}session`, 'token')
      await page.keyboard.press('g')
      await page.keyboard.press('a')
      const grid = page.getByRole('grid', { name: 'Activity' })
      await grid.waitFor()
      t.same(await cut(page), [])
      await page.getByRole('button', { name: 'INSUFFICIENT_BALANCE 12' }).click()
      await page.waitForURL(/\?error=INSUFFICIENT_BALANCE$/)
      await page.getByRole('button', { name: 'Take away Code INSUFFICIENT_BALANCE' }).click()
      await page.getByLabel('Key', { exact: true }).selectOption({ label: 'night-batch' })
      await page.waitForURL(/\?key=01JD51QK3M8YB0WZ4T5C6D7E8F$/)
      await page.getByLabel('Key', { exact: true }).selectOption({ label: 'All keys' })

      await page.keyboard.press('Tab')
      await page.keyboard.press('/')
      await page.keyboard.type('of the account is 7.')
      await page.waitForURL(/\?q=of\+the\+account\+is\+7\.$/)
      await page.getByText('1 in 24 hours').waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await page.waitForURL(/activity$/)
      await page.getByText(/^(the newest )?\d\d+ in 24 hours$/).waitFor()
      // From the page, not from within the table: the first of them begins at the first row.
      for (const key of ['j', 'j', 'j', 'j', 'k', 'Enter']) await page.keyboard.press(key)
      const panel = page.getByRole('region', { name: 'Request' })
      await panel.getByText('INSUFFICIENT_BALANCE', { exact: true }).waitFor()
      await page.keyboard.press('j')
      const transaction = page.getByRole('region', { name: 'Transaction' })
      await transaction.getByText('Delegate 111.023757000000000001 MON to validator 12').waitFor()
      await transaction
        .getByText(/^111\.023757000000000001.MON$/)
        .first()
        .waitFor()
      t.equal(await transaction.getByText(/^111\.023757000000000001.MON$/).count(), 2, 'what leaves and what is staked, every digit')
      await transaction.getByText('while the nonce of the account is 3').waitFor()
      await transaction.getByRole('listitem').filter({ hasText: 'On the chain' }).getByText('Final').waitFor()
      t.equal(await transaction.getByRole('listitem').count(), 4)
      await transaction.getByText(/12 ms, payments/).waitFor()
      t.match(page.url(), /activity\/01JDR0+3$/, 'what is looked at can be shared')
      await transaction.getByText('Raw JSON').click()
      t.same(await inaccessible(page), [])
      await page.keyboard.press('Escape')
      await transaction.waitFor({ state: 'detached' })
      await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'grid')

      await page.getByRole('row').filter({ hasText: '37.0079' }).click()
      await page.getByRole('button', { name: /^Show only wallet 0x3c59/ }).click()
      await page.waitForURL(/wallet=0x3c59/)
      // A link to a record that is not among the newest.
      await signIn(page, `${dashboard}activity/01JDR${'0'.repeat(18)}299?period=1h`, 'token')
      await page.getByRole('region').getByText('validator 12').waitFor()
      await signIn(page, `${dashboard}activity/01JDR${'0'.repeat(18)}999`, 'token')
      await page.getByText('There is no such record').waitFor()
    }),
  )

  await t.test('follows a real transaction from craft to broadcast, refusals beside it', (t) =>
    visit(t, browser, async (page) => {
      const { baseUrl, tokens, ask, read, wallet } = await sandbox
      const { address } = wallet
      const crafted = await ask('evm-three/native/action/delegate', { address, amount: '25.500000000000000001' })
      const refused = await ask('evm-three/native/action/delegate', { address, amount: '1e12' })
      await page.goto(`${baseUrl}/dashboard/activity`)
      await page.getByRole('button', { name: 'Use the sandbox’s token' }).click()
      const row = page.getByRole('row').filter({ hasText: 'Delegate to validator' }).filter({ hasText: '25.5000' })
      await row.getByText('Crafted').waitFor()
      await page.getByRole('row').filter({ hasText: 'Delegate' }).filter({ hasText: '1e12' }).getByText(String(refused.code)).waitFor()

      const { prepare } = await ask('sandbox/wallets/sign', { family: 'evm', address, payload: crafted.unsigned_tx_hash_hex })
      const signed = await ask('evm-three/native/action/prepare', { ...crafted, ...(prepare as object) })
      const { tx_hash: hash } = await ask('evm-three/native/action/broadcast', signed)
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      await page.getByRole('button', { name: '1 new' }).click()
      await row.getByText('Broadcast').click()
      const panel = page.getByRole('region', { name: 'Transaction' })
      await panel.getByRole('button', { name: `Copy transaction hash ${hash}` }).waitFor()
      await panel
        .getByText(/^25\.500000000000000001.MON$/)
        .first()
        .waitFor()
      t.equal(await panel.getByText(/^25\.500000000000000001.MON$/).count(), 2, 'the terms of the network say what a base unit is')
      const durations = panel.getByRole('listitem').getByText(/\d ms, /)
      // Each is read by itself.
      await durations.nth(2).waitFor()
      t.equal(await durations.count(), 3, 'each step with its duration, and the key')
      const told = await read(`evm-three/native/transaction/${hash}`)
      t.match(told, { tx_hash: hash, status: /^(included|final)$/ }, 'the service looks at the chain')
      await panel.getByRole('link', { name: 'Timeline, and what it moved' }).click()
      const whole = page.getByRole('region', { name: 'Transaction' })
      // It may be final by the first look at it.
      await whole
        .getByRole('list', { name: 'Timeline' })
        .getByText(/^(Included|Final)$/)
        .first()
        .waitFor()
      t.equal(await whole.getByText('as promised').count(), 2, 'the chain moved what its bytes said')
      t.equal(await whole.getByRole('link', { name: /its record in Activity$/ }).count(), 3)
      await signIn(page, `${baseUrl}/dashboard/transactions`, tokens.management_token)
      await page.getByRole('row').filter({ hasText: '25.5000' }).click()
      await whole.getByText('another transaction uses nonce').waitFor()
      await page.goto(`${baseUrl}/dashboard/activity`)
      await page.getByRole('button', { name: 'Use the sandbox’s token' }).click()
      await row.waitFor()

      await page.getByRole('button', { name: 'Export' }).click()
      const dialog = page.getByRole('dialog', { name: 'Export' })
      const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Export' }).click()])
      const file = await readFile(await download.path(), 'utf8')
      t.match(file, /^id,time,account,/)
      t.match(file, crafted.unsigned_tx_hash_hex)
      t.notMatch(file + page.url(), new RegExp(`${tokens.operator_token}|${tokens.api_key}`), 'no secret is kept anywhere')
    }),
  )

  await t.test('scrolls through 10,000 transactions without a stall', (t) =>
    visit(t, browser, async (page) => {
      await serveLog(page, { records: samples(10_000, NOW) })
      await signIn(page, `${dashboard}activity?period=all`, 'token')
      const grid = page.getByRole('grid', { name: 'Activity' })
      await grid.waitFor()
      await browser.startTracing(page, { categories: TASKS })
      // A page of 200 rows is 7,200 px: each step asks for another one.
      for (let left = 1; left > 0 || (await page.getByText('10,000 in all').count()) === 0; ) {
        left = await grid.evaluate(async (element) => {
          element.scrollTop += 7200
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
          return Math.floor(element.scrollHeight - element.scrollTop - element.clientHeight)
        })
      }
      const longest = longestTask(await browser.stopTracing())
      t.equal(await grid.getAttribute('aria-rowcount'), '10001')
      t.ok(longest > 0 && longest < STALL_MS, `the longest task of the page took ${longest.toFixed(1)} ms of the processor`)
      t.ok((await page.getByRole('row').count()) < 80, 'only what is seen is drawn')
    }),
  )

  await t.test('says what is new, and moves nothing until it is asked to', (t) =>
    visit(t, browser, async (page) => {
      const log = { records: samples(30, NOW) }
      await page.clock.install()
      await serveLog(page, log)
      await signIn(page, `${dashboard}activity?period=all`, 'token')
      await page.getByText('30 in all').waitFor()
      const later = new Date(NOW.getTime() + 5000)
      log.records = [1, 2]
        .map((each) => sample(each, later, { id: `Z${each}`, request_id: `ZR${each}`, unsigned_hash: `0xbeef${each}` }))
        .concat(log.records)
      await page.clock.fastForward(11_000)
      const news = page.getByRole('button', { name: '2 new' })
      await news.waitFor()
      await page.getByText('30 in all').waitFor()
      await page.keyboard.press('n')
      await page.getByText('32 in all').waitFor()
      await news.waitFor({ state: 'detached' })
    }),
  )

  await t.test('says what went wrong, and goes on by itself', (t) =>
    visit(t, browser, async (page) => {
      const log: Parameters<typeof serveLog>[1] = {
        records: [],
        audit: refusal(503, 'DATABASE_UNAVAILABLE', 'The database does not answer.'),
      }
      await serveLog(page, log)
      await signIn(page, `${dashboard}activity`, 'token')
      await page.getByText('The database does not answer.').waitFor()
      log.audit = refusal(429, 'RATE_LIMITED', 'The limit is used up.', { 'retry-after': '1' })
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('It is read again at').waitFor()
      delete log.audit
      await page.getByText('Nothing in this time').waitFor()
      t.same(await inaccessible(page), [])
      await page.getByRole('button', { name: 'Show all time' }).click()
      await page.getByText('Nothing was asked yet').waitFor()
      await page.getByLabel('Outcome').selectOption('refused')
      await page.getByText('Nothing matches').waitFor()
      t.equal(await page.getByText('by its first 8 characters or more').count(), 0, 'no words were looked for')
      t.equal(await page.getByRole('button', { name: 'Search all time' }).count(), 0, 'all time was searched')
      await page.getByLabel('Time', { exact: true }).selectOption('7d')
      const searched = page.waitForResponse((response) => /\/audit\?(?!.*\bfrom=)/.test(response.url()))
      await page.getByRole('button', { name: 'Search all time' }).click()
      await page.waitForURL(/period=all/)
      await searched
      t.match(page.url(), /outcome=refused/, 'what was looked for stays')
      log.records = samples(250, NOW)
      await page.getByRole('button', { name: 'Clear the filters' }).click()
      await page.getByText('the newest 200 in 24 hours').waitFor()
      log.audit = refusal(401, 'TOKEN_INVALID', 'The management token is not accepted.')
      await page.getByLabel('Outcome').selectOption('ok')
      const again = page.getByRole('dialog', { name: 'Sign in again' })
      await again.waitFor()
      delete log.audit
      await page.keyboard.type('token')
      await page.keyboard.press('Enter')
      await again.waitFor({ state: 'detached' })
      await page.getByRole('grid', { name: 'Activity' }).waitFor()
      t.match(page.url(), /outcome=ok/)

      await page.getByRole('button', { name: 'Copy link' }).waitFor()
      await page
        .getByLabel('Hash, wallet, key, identity, request id, code or words')
        .fill(`svc_01JD4Z0V9T6E6N1S2XKQ3B7W8R_${'a'.repeat(51)}`)
      await page.getByText('That is the value of a key or token').waitFor()
      t.notMatch(page.url(), /svc_/)
    }),
  )

  await t.test('finds what people paste, from any page and in the list', (t) =>
    visit(t, browser, async (page) => {
      await serveLog(page, { records: samples(30, NOW) })
      await signIn(page, `${dashboard}activity`, 'token')
      const field = page.getByLabel('Hash, wallet, key, identity, request id, code or words')
      const hint = page.getByText('paste more of it')
      await field.fill('0x8b428')
      await hint.waitFor()
      await field.fill('0x8b4280')
      await hint.waitFor({ state: 'detached' })
      await field.fill('Monad')
      await page.getByRole('button', { name: 'Show this protocol alone' }).waitFor()
      await page.waitForURL(/q=Monad/)
      t.same(await inaccessible(page), [])
      await field.press('Enter')
      await page.waitForURL(/protocol=evm-three/)
      t.notMatch(page.url(), /q=/, 'a protocol is a filter, and not a word')
      t.equal(await field.inputValue(), '')

      // From within a field too, where single letters are typed.
      await field.press('Control+k')
      const finder = page.getByRole('dialog', { name: 'Find anything' })
      const box = finder.getByRole('combobox')
      await box.fill('night')
      await finder.getByRole('option', { name: 'Key “night-batch”' }).waitFor()
      t.same(await inaccessible(page), [])
      await box.press('ArrowUp')
      t.equal(await finder.locator('[aria-selected=true]').textContent(), 'Key “night-batch”', 'up from the first is the last')
      await box.fill('batch-7')
      t.match(await finder.locator('[aria-selected=true]').textContent(), /^Activity of all time/, 'other words begin at the first')
      await box.press('Enter')
      await page.waitForURL(/activity\?q=batch-7&period=all$/)
      await page.keyboard.press('Control+k')
      await box.fill(`svc_01JD4Z0V9T6E6N1S2XKQ3B7W8R_${'a'.repeat(51)}`)
      await finder.getByText('That is the value of a key or token').waitFor()
      t.equal(await finder.getByRole('option').count(), 0, 'a secret leads nowhere')
      await page.setViewportSize({ width: 390, height: 844 })
      t.same(await cut(page), [])
    }),
  )

  await t.test('exports part by part into one file', (t) =>
    visit(t, browser, async (page) => {
      await serveLog(page, { records: samples(30, NOW) })
      const asked: string[] = []
      let fails = true
      await page.route('**/api/v1/audit/export?*', async (route) => {
        const { searchParams } = new URL(route.request().url())
        asked.push(String(searchParams))
        if (searchParams.has('before') && fails) {
          fails = false
          return route.abort('connectionrefused')
        }
        const last = searchParams.has('before')
        await route.fulfill({
          headers: { 'content-type': 'text/csv; charset=utf-8', ...(last ? {} : { 'x-next': '20' }) },
          body: `time,sentence\r\n${last ? '3,c' : '1,a\r\n2,b'}\r\n`,
        })
      })
      await signIn(page, `${dashboard}activity?outcome=ok`, 'token')
      await page.getByRole('button', { name: 'Export' }).click()
      const dialog = page.getByRole('dialog', { name: 'Export' })
      t.same(await inaccessible(page), [])
      await dialog.getByText('Reads that ended well are left out.').waitFor()
      await dialog.getByRole('button', { name: 'Export' }).click()
      await dialog.getByText('What was read so far is kept').waitFor()
      const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Go on' }).click()])
      t.match(download.suggestedFilename(), /^activity-[\dT-]+Z\.csv$/)
      t.equal(await readFile(await download.path(), 'utf8'), 'time,sentence\r\n1,a\r\n2,b\r\n3,c\r\n')
      await dialog.getByText('3 records').waitFor()
      await dialog.getByText('Reads that ended well are left out.').waitFor()
      t.match(asked[0], /outcome=ok/)
      t.ok(
        asked.every((query) => query.includes('reads=false')),
        'what the dialog says is left out is left out',
      )
      t.equal(new URLSearchParams(asked[0]).get('from'), new URLSearchParams(asked[2]).get('from'), 'every part is of the same time')
      t.notMatch(asked.join(), /token/)

      await dialog.getByRole('button', { name: 'Close' }).last().click()
      asked.length = 0
      await page.getByRole('button', { name: 'Export' }).click()
      await dialog.getByLabel('Reads too').check()
      t.equal(await dialog.getByText('left out').count(), 0)
      const [whole] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Export' }).click()])
      t.equal(await readFile(await whole.path(), 'utf8'), 'time,sentence\r\n1,a\r\n2,b\r\n3,c\r\n')
      t.equal(asked.length, 2)
      t.ok(
        asked.every((query) => !query.includes('reads=')),
        'with the switch every part has the reads',
      )
      await dialog.getByText('With reads that ended well.').waitFor()
    }),
  )

  await t.test('shows an alarm above every page until it was looked at', (t) =>
    visit(t, browser, async (page) => {
      const mismatch = sample(2, NOW, { error: { code: 'DECODE_MISMATCH' }, status: 500, outcome: 'failed' })
      const alarm = {
        kind: 'DECODE_MISMATCH',
        time: mismatch.time,
        account: 'acme',
        protocol: 'evm-three',
        network: '143',
        action: 'withdraw',
        request_id: mismatch.request_id,
      }
      await serveLog(page, { records: [mismatch, ...samples(2, NOW)], alarms: [alarm] })
      await signIn(page, `${dashboard}session`, 'token')
      const bar = page.getByRole('alert').filter({ hasText: 'DECODE_MISMATCH' })
      await bar.getByText('withdraw on Monad mainnet (143)').waitFor()
      t.equal(await bar.getByRole('button').count(), 0, 'it cannot be put away unseen')
      await bar.getByRole('link', { name: 'Look at it' }).click()
      await page.getByRole('region', { name: 'Request' }).getByText('nothing was handed out').waitFor()
      await page.keyboard.press('Escape')

      await page.setViewportSize({ width: 390, height: 844 })
      t.same(await cut(page), [])
      await page.getByRole('list', { name: 'Activity' }).getByRole('button').first().click()
      const sheet = page.getByRole('dialog', { name: 'Request' })
      await sheet.waitFor()
      t.same(await cut(page), [])
      t.same(await inaccessible(page), [])
      await page.keyboard.press('Escape')
      await sheet.waitFor({ state: 'detached' })
      await bar.getByRole('button', { name: 'Put away' }).click()
      await bar.waitFor({ state: 'detached' })
      await signIn(page, `${dashboard}session`, 'token')
      t.equal(await bar.count(), 0)
    }),
  )
})
