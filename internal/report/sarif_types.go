package report

// The types below are the part of SARIF 2.1.0 that is written, with the names
// of the standard. Fields that may be absent are left out when empty.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool               sarifTool                `json:"tool"`
	AutomationDetails  sarifAutomation          `json:"automationDetails"`
	ColumnKind         string                   `json:"columnKind"`
	OriginalURIBaseIDs map[string]sarifArtifact `json:"originalUriBaseIds"`
	Invocations        []sarifInvocation        `json:"invocations"`
	Results            []sarifResult            `json:"results"`
	Properties         *sarifRunProperties      `json:"properties,omitempty"`
}

type sarifRunProperties struct {
	Hidden  int      `json:"hidden,omitempty"`  // findings below the confidence shown
	LeftOut int      `json:"leftOut,omitempty"` // results above the limit
	Fixed   []string `json:"fixed,omitempty"`   // fingerprints of findings that the base had
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name            string      `json:"name"`
	FullName        string      `json:"fullName"`
	SemanticVersion string      `json:"semanticVersion"`
	InformationURI  string      `json:"informationUri"`
	Rules           []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID                   string              `json:"id"`
	Name                 string              `json:"name"`
	ShortDescription     sarifText           `json:"shortDescription"`
	FullDescription      sarifText           `json:"fullDescription"`
	Help                 sarifText           `json:"help"`
	HelpURI              string              `json:"helpUri"`
	DefaultConfiguration sarifConfiguration  `json:"defaultConfiguration"`
	Properties           sarifRuleProperties `json:"properties"`
}

type sarifConfiguration struct {
	Level string `json:"level"`
}

type sarifRuleProperties struct {
	Tags      []string `json:"tags"`
	Precision string   `json:"precision"`
	Severity  string   `json:"problem.severity"`
}

type sarifAutomation struct {
	ID string `json:"id"`
}

type sarifArtifact struct {
	Description *sarifText `json:"description,omitempty"`
	URI         string     `json:"uri,omitempty"`
	URIBaseID   string     `json:"uriBaseId,omitempty"`
}

type sarifInvocation struct {
	ExecutionSuccessful bool                `json:"executionSuccessful"`
	Notifications       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations,omitempty"`
}

type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifResult struct {
	RuleID              string                `json:"ruleId"`
	RuleIndex           int                   `json:"ruleIndex"`
	Level               string                `json:"level"`
	Rank                float64               `json:"rank"`
	Message             sarifText             `json:"message"`
	Locations           []sarifLocation       `json:"locations"`
	RelatedLocations    []sarifLocation       `json:"relatedLocations,omitempty"`
	CodeFlows           []sarifCodeFlow       `json:"codeFlows"`
	PartialFingerprints map[string]string     `json:"partialFingerprints"`
	BaselineState       string                `json:"baselineState,omitempty"`
	Suppressions        []sarifSuppression    `json:"suppressions"`
	Properties          sarifResultProperties `json:"properties"`
}

type sarifResultProperties struct {
	Precision string `json:"precision"`
}

type sarifSuppression struct {
	Kind          string         `json:"kind"`
	Status        string         `json:"status"`
	Justification string         `json:"justification"`
	Location      *sarifLocation `json:"location,omitempty"`
}

type sarifLocation struct {
	ID               int             `json:"id,omitempty"`
	PhysicalLocation *sarifPhysical  `json:"physicalLocation,omitempty"`
	LogicalLocations []sarifFunction `json:"logicalLocations,omitempty"`
	Message          *sarifText      `json:"message,omitempty"`
}

type sarifFunction struct {
	FullyQualifiedName string `json:"fullyQualifiedName"`
	Kind               string `json:"kind"`
}

type sarifPhysical struct {
	ArtifactLocation sarifArtifact `json:"artifactLocation"`
	Region           *sarifRegion  `json:"region,omitempty"`
}

type sarifRegion struct {
	StartLine   int        `json:"startLine"`
	StartColumn int        `json:"startColumn,omitempty"`
	EndLine     int        `json:"endLine,omitempty"`
	EndColumn   int        `json:"endColumn,omitempty"`
	Snippet     *sarifText `json:"snippet,omitempty"`
}

type sarifCodeFlow struct {
	Message     sarifText         `json:"message"`
	ThreadFlows []sarifThreadFlow `json:"threadFlows"`
}

type sarifThreadFlow struct {
	ID        string      `json:"id"`
	Locations []sarifStep `json:"locations"`
}

type sarifStep struct {
	Location     sarifLocation        `json:"location"`
	State        map[string]sarifText `json:"state,omitempty"`
	NestingLevel int                  `json:"nestingLevel"`
	Importance   string               `json:"importance,omitempty"`
}
