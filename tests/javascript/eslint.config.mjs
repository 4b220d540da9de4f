// SPDX-License-Identifier: GPL-3.0-or-later
// The scripts share one global scope, which tsc checks: so undefined and unused global names are its business.
import js from "@eslint/js";
import globals from "globals";

const RULES = {
  "array-callback-return": "error",
  "consistent-return": "error",
  curly: ["error", "multi-line"],
  eqeqeq: "error",
  "no-alert": "off",
  "no-else-return": "error",
  "no-eval": "error",
  "no-param-reassign": "error",
  "no-shadow": "error",
  "no-unused-expressions": "error",
  "no-use-before-define": ["error", { functions: false, classes: true, variables: false }],
  "no-var": "error",
  "object-shorthand": "error",
  "prefer-const": "error",
  "prefer-template": "off",
  strict: ["error", "global"],
};

export default [
  { ignores: ["**/node_modules/**", "tsume/web/built/**"] }, // what `scripts/wheels` builds
  js.configs.recommended,
  {
    files: ["browser/**/*.js", "tsume/**/*.js", "tests/**/*.js"],
    languageOptions: { sourceType: "script", globals: globals.browser },
    rules: {
      ...RULES,
      "max-lines": ["error", { max: 200, skipBlankLines: true, skipComments: true }],
      "no-undef": "off",
      "no-unused-vars": ["error", { vars: "local", argsIgnorePattern: "^_" }],
    },
  },
  {
    files: ["browser/**/*.mjs"],
    languageOptions: { sourceType: "module", globals: globals["shared-node-browser"] },
    rules: { ...RULES, strict: "off" },
  },
  {
    files: ["tests/**/*.mjs"],
    languageOptions: { sourceType: "module", globals: globals.node },
    rules: { ...RULES, strict: "off" },
  },
];
