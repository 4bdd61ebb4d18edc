;;; conflens.el --- ConfLens for eglot, Emacs 29 or later  -*- lexical-binding: t -*-

;; Load this file, then M-x eglot in a Java or config file of the project.
;; Eglot runs one server in a buffer.  To have jdtls in Java files and ConfLens beside it, use lsp-mode, whose
;; servers can be add-ons, or keep eglot with ConfLens for config files only: take `java-mode' out of `conflens-modes'.
;; Eglot shows no code lenses.  M-x conflens-options lists the options, most likely performance-sensitive first;
;; M-x conflens-flows shows where the option at point goes.

;;; Code:

(require 'eglot)

(defvar conflens-command '("conflens" "serve" "--stdio")
  "The command that runs the server.")

(defvar conflens-modes
  '(java-mode java-ts-mode conf-javaprop-mode conf-unix-mode conf-toml-mode toml-ts-mode
    yaml-mode yaml-ts-mode nxml-mode)
  "The modes in which `eglot' runs ConfLens.")

(defclass conflens-server (eglot-lsp-server) ()
  "ConfLens, as a server of its own class, so that others are left as they are.")

(add-to-list 'eglot-server-programs
             (cons conflens-modes
                   (lambda (&rest _) (cons 'conflens-server conflens-command))))

(defun conflens--run (command arguments)
  "Run COMMAND of the server with the vector ARGUMENTS; what it shows, it has Emacs open."
  (eglot--request (eglot--current-server-or-lose) :workspace/executeCommand
                  (list :command command :arguments arguments)))

(defun conflens-options ()
  "List the options of the project, most likely performance-sensitive first."
  (interactive)
  (conflens--run "conflens.listSensitivity" [(:show t)]))

(defun conflens-flows ()
  "Show the page of the option at point: its verdict, and each way from it to an operation."
  (interactive)
  (conflens--run "conflens.openFlows"
                 (vector (plist-get (eglot--TextDocumentIdentifier) :uri) (eglot--pos-to-lsp-position))))

(defun conflens-import (file baseline)
  "Import the profile FILE as the slow run, with a prefix argument BASELINE as the good one."
  (interactive "fProfile: \nP")
  (let ((row (jsonrpc-request (eglot--current-server-or-lose) :conflens/importSnapshot
                              (list :uri (eglot--path-to-uri (expand-file-name file))
                                    :role (if baseline "baseline" "violation"))
                              :timeout 300)))
    (message "Imported %s as %s" (plist-get row :name) (plist-get row :role))))

(provide 'conflens)
;;; conflens.el ends here
