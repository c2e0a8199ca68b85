// The input for files: one with its picture, or several in an order. Files are chosen from the library or uploaded.

import { ImagePlus } from 'lucide-react'
import { useId, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useModel } from '../../app/model-context.tsx'
import { FileDetails } from '../../media/file-details.tsx'
import { fileKinds, kindsTaken, type MediaFile } from '../../model/media.ts'
import { mediaRightsOf } from '../../model/media-rights.ts'
import fieldStyles from '../../ui/field.module.css'
import { LabelText } from '../../ui/field.tsx'
import type { InputProps } from '../props.ts'
import { FilePicker } from './file-picker.tsx'
import styles from './media-input.module.css'
import { SeveralFiles } from './several-files.tsx'
import { SingleFile } from './single-file.tsx'

type Value = MediaFile | readonly MediaFile[]

export function MediaInput(props: InputProps<Value>) {
  const { value, attribute, required, disabled } = props
  const t = useTranslations('mediaInput')
  const id = useId()
  const { files, change, refresh } = useFiles(props)
  const [isPicking, setPicking] = useState(false)
  const [shownId, setShownId] = useState<number | null>(null)
  const rights = mediaRightsOf(useModel().actions)
  const isMany = attribute.options.multiple === true
  const canPick = !disabled && value !== undefined && (rights.find || rights.upload)
  const shownFile = files.find(file => file.id === shownId)
  const [first] = files
  const add = (chosen: readonly MediaFile[]) => {
    const ids = new Set(files.map(file => file.id))
    change(isMany ? [...files, ...chosen.filter(file => !ids.has(file.id))] : chosen)
    setPicking(false)
  }
  return (
    <fieldset className={fieldStyles.field} aria-describedby={id}>
      <legend className={fieldStyles.legend}>
        <LabelText label={attribute.label} required={required} />
        {isMany && files.length > 0 && <span className={fieldStyles.count}>{files.length}</span>}
      </legend>
      {isMany && first !== undefined && (
        <SeveralFiles
          label={attribute.label}
          files={files}
          isDisabled={disabled}
          onArrange={change}
          onShow={setShownId}
        />
      )}
      {!isMany && first !== undefined && (
        <SingleFile
          key={first.id}
          file={first}
          isDisabled={disabled}
          onReplace={canPick ? () => setPicking(true) : null}
          onRemove={() => change([])}
          onShow={() => setShownId(first.id)}
          onTexts={refresh}
        />
      )}
      {first === undefined && !canPick && <p className={styles.none}>{t('none')}</p>}
      {canPick && (isMany || first === undefined) && (
        <button type="button" className={styles.add} onClick={() => setPicking(true)}>
          <ImagePlus aria-hidden="true" />
          {t(isMany ? 'chooseSeveral' : 'chooseOne')}
        </button>
      )}
      <Notes {...props} id={id} />
      {isPicking && (
        <FilePicker
          title={t('title', { label: attribute.label })}
          kinds={kindsTaken(attribute.options)}
          isMany={isMany}
          onChoose={add}
          onClose={() => setPicking(false)}
        />
      )}
      {shownFile !== undefined && <FileDetails file={shownFile} onClose={() => setShownId(null)} onChange={refresh} />}
    </fieldset>
  )
}

/**
 * The files as they are now. Texts belong to the file, so that a change of them is none of the entry: the value of the form
 * keeps the files as they were read.
 */
function useFiles({ value, onChange, attribute }: InputProps<Value>) {
  const [refreshed, setRefreshed] = useState<ReadonlyMap<number, MediaFile>>(new Map())
  const read = [value ?? []].flat()
  const files = read.map(file => refreshed.get(file.id) ?? file)
  const change = (next: readonly MediaFile[]) => {
    const asRead = next.map(file => read.find(one => one.id === file.id) ?? file)
    onChange(attribute.options.multiple === true ? asRead : (asRead.at(-1) ?? null))
  }
  const refresh = (file: MediaFile) => setRefreshed(before => new Map(before).set(file.id, file))
  return { files, change, refresh }
}

function Notes({ id, attribute, error }: InputProps<Value> & { readonly id: string }) {
  const t = useTranslations('mediaInput')
  const names = useTranslations('media')
  const format = useFormatter()
  const kinds = kindsTaken(attribute.options)
  const list = format.list(
    kinds.map(kind => names(`kindsOf.${kind}`)),
    { type: 'conjunction' },
  )
  return (
    <div id={id}>
      {kinds.length < fileKinds.length && <p className={fieldStyles.description}>{t('kinds', { kinds: list })}</p>}
      {attribute.description && <p className={fieldStyles.description}>{attribute.description}</p>}
      {error && <p className={fieldStyles.error}>{error}</p>}
    </div>
  )
}
