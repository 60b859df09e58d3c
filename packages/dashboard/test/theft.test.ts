import { eventually } from '@svc/testing/eventually'
import type { Page } from 'playwright-core'
import t from 'tap'
import { browserOfAll, lacking } from './support/chromium.ts'
import { cut, inaccessible, visit } from './support/page.ts'
import { receiver } from './support/receiver.ts'
import { sandbox } from './support/sandbox.ts'

/** Stakes by the page as a reader does, up to what is active. */
async function stake(page: Page): Promise<void> {
  await page.getByLabel('Amount in SOL').fill('5')
  await page.getByRole('button', { name: 'Ask for a transaction' }).click()
  await page.getByRole('button', { name: 'Sign with the demo wallet' }).click()
  await page.getByRole('button', { name: 'Prepare and broadcast' }).click()
  await page.getByText('wait to become active').waitFor()
  await page.getByRole('button', { name: 'One epoch on' }).first().click()
  await page.getByText('are staked and active').waitFor()
}

t.test('a theft in a browser', { skip: lacking }, async (t) => {
  const [browser, { dashboard, operator }] = await Promise.all([browserOfAll(), sandbox(t, ['@svc/plugin-svm-native', '@svc/sandbox-svm'])])
  const ask = async (path: string, method = 'GET', body?: object) => {
    const response = await fetch(new URL(`../api/v1/${path}`, dashboard), {
      method,
      headers: { authorization: `Bearer ${operator}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Readonly<Record<string, any>>
  }
  const account = String((await ask('session')).accounts[0].id)
  const hook = await receiver(t)
  const told = (type: string) => hook.got.map((body) => JSON.parse(body)).filter((event) => event.type === type)

  await t.test('is played by one button; the alarm comes above the open page, also while the receiver of webhooks is down', (t) =>
    visit(t, browser, async (page) => {
      const { ulid } = await ask(`webhooks?account=${account}`, 'POST', {
        url: hook.url,
        events: ['position.control_changed'],
      })
      await page.goto(dashboard)
      await page.getByRole('button', { name: 'Use the sandbox’s token' }).click()
      const steal = page.getByRole('button', { name: 'Steal my stake' })
      await steal.click()
      await page.getByText('so there is nothing to steal').waitFor()
      await stake(page)
      hook.answer(503)

      await steal.press('Enter')
      const alert = page.getByRole('alert').filter({ hasText: 'withdrawer is' })
      await alert.waitFor()
      const alarms = page.getByRole('region', { name: 'Alarms' })
      await alarms.getByText('belongs to').waitFor()
      t.match(await alarms.textContent(), /At stake: 5[.\d]*\u00a0SOL/)
      t.match(
        await alarms.getByRole('link', { name: 'What to do now' }).first().getAttribute('href'),
        /^when-something-changes\.html#svm-native$/,
      )
      t.same(await inaccessible(page), [])
      await page.setViewportSize({ width: 390, height: 844 })
      t.same(await cut(page), [])

      await eventually('the receiver has refused it', async () => told('position.control_changed').length > 0)
      t.equal(await alert.count(), 1, 'the alarm is there all the same')
      hook.answer(204)
      const { deliveries } = await ask(`webhooks/${ulid}/deliveries`)
      t.match(deliveries[0], { type: 'position.control_changed', state: 'pending', status: 503 })
      await eventually('the receiver has got it', async () => told('position.control_changed').length > 1)
      const [first, ...repeats] = told('position.control_changed')
      t.match(first, { data: { severity: 'critical', aspect: 'withdrawer' } })
      for (const repeat of repeats) t.same(repeat, first, 'the same, to the byte')

      for (let left = await alarms.getByRole('button', { name: 'Put away' }).count(); left > 0; left--) {
        await alarms.getByRole('button', { name: 'Put away' }).first().click()
        await page.getByRole('dialog').getByRole('button', { name: 'Put away' }).click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
      await alarms.waitFor({ state: 'detached' })
      t.same((await ask(`alarms?account=${account}`)).alarms, [], 'for everybody of the account')
      const { records } = await ask('audit?action=dismiss-event')
      t.equal(records.length, 2)
    }),
  )
})
