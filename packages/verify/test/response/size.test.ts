import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import t from 'tap'

/** Most that the check of responses may add to a caller's bundle, gzipped, in bytes. */
const MOST = 2500

t.test('the check of responses bundles for a browser, alone, and stays small', async (t) => {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(import.meta.dirname, '../../src/response/index.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
  })
  const bytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
  t.comment(`${bytes} bytes gzipped`)
  t.ok(bytes > 1000 && bytes <= MOST, `${bytes} bytes`)
  t.ok(
    Object.keys(metafile.inputs).every((file) => file.includes('src/response/')),
    'it takes nothing of the rest',
  )
})
