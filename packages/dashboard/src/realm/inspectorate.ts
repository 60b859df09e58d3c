import type { Inspectorate } from './inspection.ts'
import { readIntentList } from './intent-list.ts'
import { openRealm, type Realm } from './open.ts'

let opening: Promise<Realm> | null = null

/**
 * Opens the realm with the intents of all installed plugins, for the Inspector. There is one for the page, opened anew where it ended or could not be opened.
 *
 * @throws Error with a sentence
 */
export async function openInspectorate(): Promise<Inspectorate> {
  const old = opening
  const isOver = await old?.then(
    (realm) => realm.isOver(),
    () => true,
  )
  if (old && !isOver) return old
  if (opening === old) opening = readIntentList(document.baseURI).then((entries) => openRealm(entries, document.baseURI))
  return opening ?? openInspectorate()
}
