// Dialogs, which keep everything else from being used while they are open.

import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { classNames } from './class-names.ts'
import styles from './dialog.module.css'

interface DialogProps {
  readonly title: ReactNode
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  /** The buttons at its end. */
  readonly actions?: ReactNode
  readonly isWide?: boolean
  /** True for one that comes from the lower edge on a phone. */
  readonly isSheet?: boolean
  /** True for a dialog that fills the window. */
  readonly isFull?: boolean
  /** True for a question that must be answered before anything else. */
  readonly isAlert?: boolean
}

export function Dialog({ title, isOpen, onClose, children, actions, isWide, isSheet, isFull, isAlert }: DialogProps) {
  return (
    <ModalOverlay
      className={classNames(styles.overlay, isSheet && styles.low)}
      isOpen={isOpen}
      onOpenChange={open => !open && onClose()}
      isDismissable={!isAlert}
    >
      <Modal
        className={classNames(styles.modal, isWide && styles.wide, isSheet && styles.sheet, isFull && styles.full)}
      >
        <AriaDialog className={styles.dialog!} role={isAlert ? 'alertdialog' : 'dialog'}>
          <div className={styles.head}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
          </div>
          {children}
          {actions && <div className={styles.actions}>{actions}</div>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
