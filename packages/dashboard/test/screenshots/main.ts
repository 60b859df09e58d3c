// Draws every page of the dashboard into docs/images: light, dark, and on a phone. The same each time on one version of Chromium; they are for readers, and are compared with nothing.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { launch } from '../support/chromium.ts'
import { sandbox } from '../support/sandbox.ts'
import { fontSettings } from './fonts.ts'
import { frame, NOW, type Shot, shots } from './shots.ts'

const folder = fileURLToPath(new URL('../../../../docs/images/', import.meta.url))
/** What a picture looks like: a desk's screen in both palettes, and a phone. */
const LOOKS = [
  { look: 'light', colorScheme: 'light', viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 },
  { look: 'dark', colorScheme: 'dark', viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 },
  { look: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
] as const

const wanted = process.argv.slice(2)
const fonts = fontSettings()
if (fonts === null) console.log('The faces could not be fetched with apt-get: the pictures are drawn with those of this machine.')
const ends: (() => unknown)[] = []
const until = { teardown: (end: () => unknown) => void ends.push(end) }
try {
  const [browser, service] = await Promise.all([launch(until, fonts === null ? {} : { FONTCONFIG_FILE: fonts }), sandbox(until)])
  await mkdir(folder, { recursive: true })
  for (const shot of shots)
    if (wanted.length === 0 || wanted.includes(shot.name)) for (const look of LOOKS) await draw(browser, service, shot, look)
} finally {
  for (const end of ends.reverse()) await end()
}

async function draw(
  browser: Browser,
  { dashboard, operator }: { readonly dashboard: string; readonly operator: string },
  { name, path, real = false, inside = true, answers, until }: Shot,
  { look, ...screen }: (typeof LOOKS)[number],
): Promise<void> {
  const context = await browser.newContext({ ...screen, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'Europe/Berlin' })
  try {
    const page = await context.newPage()
    if (!real) {
      await page.clock.setFixedTime(NOW)
      await frame(page)
    }
    await answers?.(page)
    await page.goto(dashboard + path)
    if (inside) {
      await page.getByLabel('Token', { exact: true }).fill(operator)
      await page.keyboard.press('Enter')
      await page.getByRole('main').getByRole('heading', { level: 1 }).and(page.locator(':not(form h1)')).waitFor()
    }
    await until(page)
    await page.evaluate(() => document.fonts.ready.then(() => scrollTo(0, 0)))
    const file = join(folder, `dashboard-${name}-${look}.png`)
    await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' })
    console.log(file)
  } finally {
    await context.close()
  }
}
