// The walk of an operator with a chain family that is nobody else's: he installs server, page, client and a stranger's plugin from tarballs, starts the sandbox, stakes by commands and
// an agent's tools, and finds the protocol in First stake, Protocols and the Inspector, as those of this repository are. The pages with Chromium, where there is one.
import { spawn, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { startedSandbox } from './operator.mjs'
import { install, operatorFolder, outsideEnvironment, root, withDependencies } from './registry.mjs'
import { commandWalk, WITH_COMMANDS } from './walk/commands.mjs'

/** What the operator installs besides the plugin. */
export const WITH_PAGE = ['@svc/server', '@svc/dashboard', '@svc/sandbox', ...WITH_COMMANDS]

/** Names of programs, as the dashboard's own tests look for them. */
const NAMES = ['chromium-headless-shell', 'chrome-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
/** How long a step of the page may take on a busy machine, in milliseconds. */
const STEP_MS = 60_000

/**
 * @param folder where it is done
 * @param files tarballs of the packages of this repository, by name
 * @param plugin the stranger's: its tarball, those of what else is his, and what the page is to say of it
 * @returns why the pages were left out; null when they were walked
 */
export async function pageWalk(folder, files, plugin) {
  await operatorFolder(folder)
  install(folder, [...withDependencies(WITH_PAGE).map((name) => files.get(name)), ...plugin.more, plugin.file])
  const service = spawn(join(folder, 'node_modules/.bin/svc'), ['start'], { cwd: folder, env: { ...outsideEnvironment(), SVC_PORT: '0' } })
  let said = ''
  for (const stream of [service.stdout, service.stderr]) stream.on('data', (text) => (said += text))
  const ended = new Promise((done) => service.once('exit', done))
  let browser
  try {
    const sandbox = await startedSandbox(folder, service)
    await commandWalk(folder, sandbox, plugin.says)
    const program = [process.env.SVC_CHROMIUM ?? [], NAMES].flat().find((each) => spawnSync(each, ['--version']).status === 0)
    if (program === undefined) return 'this machine has no Chromium: install one, or name one that runs in SVC_CHROMIUM'
    const { chromium } = createRequire(join(root, 'packages/dashboard/package.json'))('playwright-core')
    browser = await chromium.launch({
      executablePath: spawnSync('which', [program], { encoding: 'utf8' }).stdout.trim(),
      chromiumSandbox: process.getuid?.() !== 0,
    })
    const page = await browser.newPage()
    page.setDefaultTimeout(STEP_MS)
    const faults = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    await walkPages(page, sandbox.baseUrl, plugin.says)
    if (faults.length > 0) throw new Error(`The page has faults: ${faults.join('; ')}`)
    return null
  } catch (error) {
    throw new Error(`${error.message}\nsvc start said:\n${said}`, { cause: error })
  } finally {
    await browser?.close()
    service.kill('SIGTERM')
    await ended
  }
}

async function walkPages(page, baseUrl, says) {
  await page.goto(`${baseUrl}/dashboard/`)
  await page.getByRole('button', { name: 'Use the sandbox’s token' }).click()

  // First stake.
  await page.getByLabel(`Amount in ${says.symbol}`).waitFor()
  await page.getByText('The same in TypeScript').first().click()
  await page.getByText(`import { ${says.export} } from '${says.intent}'`).first().waitFor()
  const crafted = page.waitForResponse((response) => response.request().method() === 'POST' && /\/action\//.test(response.url()))
  await page.getByRole('button', { name: 'Ask for a transaction' }).click()
  const craft = await (await crafted).text()
  await page.getByText(says.sentence).first().waitFor()
  await page.getByRole('button', { name: 'Sign with the demo wallet' }).click()
  await page.getByRole('button', { name: 'Prepare and broadcast' }).click()
  await page.getByRole('button', { name: 'Stake again' }).waitFor()
  await page.getByRole('button', { name: 'Try A thief owns the service and its key' }).click()
  await page.getByText('Refused in this page.').waitFor()
  console.log(`First stake: ${says.symbol} is asked for, checked, signed and sent; a thief is refused`)

  // Protocols.
  await page.getByRole('link', { name: 'Protocols' }).click()
  await page.getByRole('row').filter({ hasText: says.symbol }).first().click()
  await page.getByRole('heading', { name: 'Terms' }).waitFor()
  if ((await page.getByText('This page cannot check').count()) > 0) throw new Error('Protocols says that the page cannot check its bytes.')
  console.log('Protocols: it is listed, with its terms, and without a note that it cannot be checked')

  // The Inspector.
  await page.getByRole('link', { name: 'Inspector' }).click()
  await page.getByText(`Any transaction of ${says.family}`).waitFor()
  await page.getByLabel('Bytes, or a whole answer').fill(craft)
  await page.getByText(says.sentence).first().waitFor()
  await page.getByText(`${says.title}: ${says.action}`).waitFor()
  console.log('Inspector: what was crafted is read, and is of the protocol')
}
