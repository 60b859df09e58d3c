import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import whole, { type Test } from 'tap'
import { otherSandbox, root, type Sandbox, startServer, temporaryFolder } from './processes.ts'

let running: Promise<Sandbox> | undefined

/**
 * Starts the service with every plugin that the root of the repository has, shared by the test files of a process until the last of them ends. Only one of these files
 * changes a family's chains and first wallets; the API key, and with it the limit of calls, is the test's own.
 */
export async function sharedServer(t: Test): Promise<Sandbox> {
  running ??= start()
  const sandbox = await running
  const { baseUrl, managementToken } = sandbox.file
  const response = await fetch(`${baseUrl}/api/v1/apikeys`, {
    method: 'POST',
    headers: { token: String(managementToken), 'content-type': 'application/json' },
    body: JSON.stringify({ name: t.name }),
  })
  if (response.status !== 201) throw new Error(`a key was not made: ${await response.text()}`)
  const { key: apiKey } = (await response.json()) as { key: string }
  return { ...sandbox, file: { ...sandbox.file, apiKey }, dataDir: await otherSandbox(t, sandbox, { apiKey }) }
}

async function start(): Promise<Sandbox> {
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { dependencies: object }
  const plugins = Object.keys(dependencies).flatMap((name) => /^@svc\/plugin-(.+)$/.exec(name)?.[1] ?? [])
  return startServer(whole, await temporaryFolder(whole), plugins)
}
