import { eventually } from '@svc/testing/eventually'
import t from 'tap'
import type { Alarm, AlarmFacts } from '../src/api/alarms.ts'
import { browserOfAll, lacking } from './support/chromium.ts'
import { overviewOf } from './support/figures.ts'
import { answer, cut, inaccessible, refusal, signIn, visit } from './support/page.ts'
import { service } from './support/service.ts'

const NOW = new Date()
const SESSION = {
  kind: 'account',
  account: { id: 'acme', name: 'Acme' },
  token: { ulid: '01JD4Z0V9T6E6N1S2XKQ3B7W8R', name: 'laptop', prefix: 'svcm_01JD4Z0V', expires: null },
  accounts: [{ id: 'acme', name: 'Acme', keys: 3, max_keys: 1000 }],
  version: '1.0.0',
  sandbox: false,
}
const THIEF = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
const WALLET = 'F8x8CNs5TicJNwLKr6ehoi5sMA9jt7PmQXF9urQk1gGM'
/** Products of this repository, each with its part in the guide. */
const PRODUCTS = ['evm-vault', 'evm-two', 'evm-three', 'evm-three-liquid', 'svm-native', 'svm-liquid', 'hub-one', 'hub-two', 'move-native']
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000).toISOString()

function alarm(place: number, changes: Partial<Alarm>, facts: AlarmFacts = {}): Alarm {
  const data = {
    network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    amount: { amount: '3.000802280', unit: 'SOL' },
    last_seen_without: ago(600),
    first_seen_with: ago(2),
    confirmed_by: 2,
    ...facts,
  }
  return {
    id: `msg_01JD4Z0V9T6E6N1S2XKQ3B7W${place}V`,
    account: 'acme',
    type: 'position.control_changed',
    severity: 'critical',
    protocol: 'svm-native',
    sentence: `Somebody else has gained power over the stake ${WALLET} of ${WALLET}: withdrawer is ${THIEF} now.`,
    created_at: ago(1),
    body: JSON.stringify({ type: 'position.control_changed', data }),
    ...changes,
  }
}
const taken = alarm(1, {})
const terms = alarm(2, { type: 'protocol.control_changed', sentence: 'Manager of the pool P is T now, and was A.' }, { amount: null })
const exit = alarm(
  3,
  { type: 'position.exit_started', severity: 'warning', protocol: 'hub-one', sentence: 'The position of cosmos1 has begun to leave.' },
  { undo_until: new Date(NOW.getTime() + 21 * 86_400_000).toISOString() },
)

const hidden = alarm(
  4,
  { type: 'security.hidden_call', sentence: 'A signed transaction was refused, since no single request here leads to it.' },
  { amount: undefined, last_seen_without: undefined, first_seen_with: undefined, confirmed_by: undefined } as object,
)

t.test('alarms in a browser', { skip: lacking }, async (t) => {
  const [browser, { dashboard, customer }] = await Promise.all([browserOfAll(), service(t)])

  await t.test('a critical one comes by itself above every page, and goes when somebody has put it away', (t) =>
    visit(t, browser, async (page) => {
      await page.clock.install()
      let open: readonly Alarm[] = []
      const dismissals: string[] = []
      await answer(page, 'session', { body: SESSION })
      await answer(page, 'overview?*', { body: overviewOf('24h', NOW, () => 200) })
      await answer(page, 'alarms*', () => ({ body: { alarms: open, more: false } }))
      await signIn(page, `${dashboard}session`, 'token')
      t.equal(await page.getByRole('region', { name: 'Alarms' }).count(), 0)

      open = [taken, terms, hidden, exit]
      await page.clock.runFor(5_000)
      const alert = page.getByRole('alert').filter({ hasText: THIEF })
      await alert.waitFor()
      const alarms = page.getByRole('region', { name: 'Alarms' })
      const text = String(await alarms.textContent())
      t.match(text, `withdrawer is ${THIEF} now.`, 'the address stands whole')
      t.match(text, /At stake: 3\.000802280\u00a0SOL/)
      t.match(text, /Seen .*, not yet .*, by 2 endpoints/)
      t.equal(text.includes('Can be undone'), false)
      const link = alarms.getByRole('link', { name: /^What to do now/ })
      t.same(await link.evaluateAll((links) => links.map((each) => (each as HTMLAnchorElement).href)), [
        `${dashboard}when-something-changes.html#svm-native`,
        `${dashboard}when-something-changes.html#the-products-terms`,
        `${dashboard}when-something-changes.html#what-to-do-at-once`,
      ])
      t.equal(await page.getByText('The position of cosmos1 has begun to leave.').count(), 0, 'a warning is less loud')
      t.same(await inaccessible(page), [])
      t.same(await cut(page), [])

      await page.keyboard.press('g')
      await page.keyboard.press('o')
      const warnings = page.getByRole('region', { name: 'Warnings' })
      await warnings.getByText('The position of cosmos1 has begun to leave.').waitFor()
      await warnings.getByText('Can be undone until').waitFor()
      await alert.waitFor()
      t.same(await inaccessible(page), [])
      await page.setViewportSize({ width: 390, height: 844 })
      t.same(await cut(page), [])
      t.same(await inaccessible(page), [])

      const away = alarms.locator('.open-alarm').filter({ hasText: THIEF }).getByRole('button', { name: 'Put away' })
      await away.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Put this alarm away?' })
      await dialog.getByText('the audit log says that it was you').waitFor()
      t.same(await inaccessible(page), [])
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await alert.waitFor()
      await answer(page, 'events/*/dismiss', refusal(503, 'AUDIT_UNAVAILABLE', 'The audit log cannot be written.'))
      await away.press('Enter')
      await dialog.getByRole('button', { name: 'Put away' }).press('Enter')
      await dialog.getByText('The audit log cannot be written.').waitFor()
      await alert.waitFor()
      await answer(page, 'events/*/dismiss', (url) => {
        dismissals.push(String(url.pathname.split('/').at(-2)))
        open = open.filter(({ id }) => !dismissals.includes(id))
        return { body: taken }
      })
      await dialog.getByRole('button', { name: 'Put away' }).press('Enter')
      await alert.waitFor({ state: 'detached' })
      await page.locator('h1:focus').waitFor()
      await page.clock.runFor(5_000)
      t.same(dismissals, [taken.id])
      t.equal(await alert.count(), 0)
      await alarms.getByText('Manager of the pool P is T now').waitFor()

      await answer(page, 'alarms*', refusal(429, 'RATE_LIMITED', 'The limit is used up.', { 'retry-after': '20' }))
      await page.clock.runFor(5_000)
      await alarms.getByText('Manager of the pool P is T now').waitFor()
      let questions = 0
      await answer(page, 'alarms*', () => {
        questions++
        return { body: { alarms: [], more: false } }
      })
      await page.clock.runFor(12_000)
      t.equal(questions, 0, 'a limit is waited for')
      await page.clock.runFor(12_000)
      await alarms.waitFor({ state: 'detached' })
    }),
  )

  await t.test('of many, three stand open and the others are a press away; an operator sees whose each is', (t) =>
    visit(t, browser, async (page) => {
      const accounts = [...SESSION.accounts, { id: 'globex', name: 'Globex', keys: 1, max_keys: 1000 }]
      await answer(page, 'session', { body: { ...SESSION, kind: 'operator', account: null, accounts } })
      const asked: (string | null)[] = []
      await answer(page, 'alarms*', (url) => {
        asked.push(url.searchParams.get('account'))
        const many = Array.from({ length: 5 }, (_, place) => alarm(place, { account: 'globex', sentence: `Change ${place}.` }))
        return { body: url.searchParams.has('account') ? { alarms: [], more: false } : { alarms: many, more: true } }
      })
      await signIn(page, `${dashboard}session`, 'operator')
      const alarms = page.getByRole('region', { name: 'Alarms' })
      await alarms.getByText('Change 2.').waitFor()
      t.equal(await alarms.getByText('Change 3.').isVisible(), false)
      await alarms.getByText('2 more, and others that come as these are put away').press('Enter')
      await alarms.getByText('Change 4.').waitFor()
      await alarms.getByText('Globex').last().waitFor()
      t.same(await inaccessible(page), [])
      await page.getByLabel('Account', { exact: true }).selectOption('acme')
      await alarms.waitFor({ state: 'detached' })
      // What was shown is gone at once; the question is on its way.
      await eventually(
        'both are asked for',
        () => asked,
        (list) => list.includes(null) && list.includes('acme'),
      )
    }),
  )

  await t.test('the way out is a page of its own, with a part for each product', (t) =>
    visit(t, browser, async (page) => {
      await signIn(page, dashboard, customer)
      for (const product of [...PRODUCTS, 'the-products-terms', 'what-to-do-at-once']) {
        await page.goto(`${dashboard}when-something-changes.html#${product}`)
        t.equal(await page.locator(`[id="${product}"]`).count(), 1, product)
      }
      await page.getByText('stake-authorize <account> --new-stake-authority').waitFor()
      t.same(await inaccessible(page), [])
      await page.setViewportSize({ width: 390, height: 844 })
      t.same(await cut(page), [])
    }),
  )
})
