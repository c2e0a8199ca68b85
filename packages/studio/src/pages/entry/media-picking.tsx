// Lets the inputs of a form have files chosen in a dialog, which is loaded when the first one asks.

import { type ReactNode, useCallback, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useModel } from '../../app/model-context.tsx'
import { type PickMedia, type PickMediaOptions, PickMediaProvider } from '../../form/pick-media.ts'
import { FilePicker } from '../../inputs/media/file-picker.tsx'
import { kindsTaken, type MediaFile } from '../../model/media.ts'
import { mediaRightsOf } from '../../model/media-rights.ts'

/** The options of an input that lets files be chosen, and the function that receives them. */
interface Question extends PickMediaOptions {
  readonly answer: (files: readonly MediaFile[]) => void
}

export function MediaPicking({ children }: { readonly children: ReactNode }) {
  const t = useTranslations('mediaInput')
  const [question, setQuestion] = useState<Question | null>(null)
  const rights = mediaRightsOf(useModel().actions)
  const pick = useCallback<PickMedia>(options => new Promise(answer => setQuestion({ ...options, answer })), [])
  const close = (files: readonly MediaFile[]) => {
    question?.answer(files)
    setQuestion(null)
  }
  return (
    <PickMediaProvider value={rights.find || rights.upload ? pick : null}>
      {children}
      {question !== null && (
        <FilePicker
          title={t('titleOfText')}
          kinds={kindsTaken({ allowedTypes: question.kinds })}
          isMany={question.isMultiple}
          onChoose={close}
          onClose={() => close([])}
        />
      )}
    </PickMediaProvider>
  )
}
